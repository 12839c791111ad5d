import { companyImports as contract, type Answer } from '#contract';
import { api, ApiError, createStore, formFields } from '#ui';

type CompanyImport = Answer<typeof contract.getCompanyImport>['data'];

interface CompanyUpload {
  importId: number;
  sent: number;
  bytes: number;
  /** Why it stopped; choosing the file again goes on. */
  stopped: ApiError | null;
}

/** The upload of this tab, which goes on while staff look at other screens of this page. */
export const companyUpload = createStore<{ current: CompanyUpload | null }>({ current: null });

/** A lost connection is tried again this often, with a pause that grows. */
const TRIES = 4;
const PAUSE_MS = 1_500;
let cancelled: number | null = null;

/** Uploads the rest of a file, part by part. Stops when it is cancelled or refused. */
export async function uploadParts(begun: CompanyImport, file: File): Promise<void> {
  let state = begun;
  cancelled = null;
  const show = (stopped: ApiError | null = null): void =>
    companyUpload.set({
      current: { importId: begun.id, sent: state.received_bytes, bytes: file.size, stopped },
    });
  show();
  window.addEventListener('beforeunload', warn);
  try {
    while (state.state === 'uploading' && state.received_bytes < file.size) {
      state = await sendPart(state, file);
      if (cancelled === begun.id) return;
      show();
    }
    companyUpload.set({ current: null });
  } catch (error) {
    if (cancelled === begun.id) return;
    show(error instanceof ApiError ? error : null);
  } finally {
    window.removeEventListener('beforeunload', warn);
  }
}

/** Forgets the upload; its row is deleted by who calls this. */
export function cancelUpload(importId: number): void {
  cancelled = importId;
  companyUpload.set({ current: null });
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

async function sendPart(state: CompanyImport, file: File): Promise<CompanyImport> {
  const offset = state.received_bytes;
  const part = file.slice(offset, offset + state.part_bytes);
  const params = { id: state.id };
  for (let tried = 1; ; tried++) {
    try {
      const body = formFields({ offset, part });
      const sent = await api(contract.uploadCompanyImportPart, { params, body }, { silent: true });
      return sent.data;
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isFinal || tried === TRIES) throw error;
      await new Promise((done) => setTimeout(done, PAUSE_MS * tried));
    }
  }
}
