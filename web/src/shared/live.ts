import { eventByName } from '#contract';
import {
  api,
  updateBatch,
  connectLive,
  disconnectLive,
  download,
  importWithRetry,
  toast,
  onLiveEvent,
  ApiError,
  session,
  setBatchPoller,
  setChannels,
  t,
} from '#ui';
import { cache } from './query-client.ts';
import { firstScreenReady } from './first-screen.ts';

let started = false;
let jobListenersAdded = false;
let stopFollowing = (): void => {};

/** Connects once per session and follows the selected company. */
export async function startLive(revoked: () => void): Promise<void> {
  updateChannels();
  if (started) return;
  started = true;
  stopFollowing = session.subscribe(updateChannels);
  for (const [event, finished] of jobListenersAdded ? [] : jobEvents)
    onLiveEvent(event, (data) => updateBatch(data as Parameters<typeof updateBatch>[0], finished));
  // A finished job leaves the tray after five seconds; the toast keeps its download a little
  // longer.
  if (!jobListenersAdded)
    onLiveEvent('export-completed', (data) => showExport(data as FinishedExport));
  jobListenersAdded = true;
  setBatchPoller(readJobProgress);
  await connectLive({
    cache,
    eventsByName: eventByName,
    companyId: () => session.get().selectedCompanyId,
    headers: () => {
      const { tokens, isAdmin } = session.get();
      return {
        ...(tokens && { Authorization: `Bearer ${tokens.access_token}` }),
        ...(isAdmin && { isAdmin: 'true' }),
      };
    },
    open: async () => {
      await firstScreenReady;
      const { io } = await importWithRetry(() => import('socket.io-client'));
      return io({
        withCredentials: true,
        transports: ['websocket', 'polling'],
        autoConnect: false,
        reconnectionDelay: 500,
        reconnectionDelayMax: 5000,
      });
    },
    onRevoked: revoked,
  });
}

interface FinishedExport {
  batchId: string;
  resultUrl: string | null;
}

/** Exports that were told of: an event and a poll may both find one finished. */
const toldExports = new Set<string>();

function showExport({ batchId, resultUrl }: FinishedExport): void {
  if (toldExports.has(batchId)) return;
  toldExports.add(batchId);
  if (resultUrl)
    toast.success(t('Your file is ready'), {
      ms: 60_000,
      action: {
        label: t('Download'),
        run: () => {
          download(resultUrl);
        },
      },
    });
  else toast.danger(t('Couldn’t create the file. Try again.'));
}

/** Each kind of job has its own endpoint. Null: the job no longer exists. */
async function readJobProgress(batchId: string, kind: string | null) {
  const readers =
    kind !== null && jobProgressReaders[kind]
      ? [jobProgressReaders[kind]]
      : Object.values(jobProgressReaders);
  for (const read of readers) {
    const known = await read(batchId).catch((problem: unknown) => {
      if (problem instanceof ApiError && (problem.status === 404 || problem.status === 403))
        return null;
      throw problem;
    });
    if (known) return { ...known.data, batchId };
  }
  return null;
}

/** Ends the live connection at sign-out. */
export function stopLive(): void {
  started = false;
  stopFollowing();
  disconnectLive();
}

function updateChannels(): void {
  const { selectedCompanyId: company, user } = session.get();
  setChannels([
    ...(company
      ? ['conversations', 'companies', 'campaigns', 'bulk-purchase'].map(
          (c) => `private-${c}.${company}`,
        )
      : []),
    ...(user ? [`private-users.${user.id}`] : []),
  ]);
}

/** Read a job's progress. Their contracts are loaded on demand: the first screen needs none. */
const jobProgressReaders: Record<string, (batchId: string) => Promise<{ data: object }>> = {
  numbers: async (batchId) =>
    api(
      (await import('#contract/numbers/endpoints')).bulkPurchaseProgress,
      { params: { batchId } },
      { silent: true },
    ),
  exports: async (batchId) => {
    const answer = await api(
      (await import('#contract/conversations/exporting/endpoints')).exportProgress,
      { params: { batchId } },
      { silent: true },
    );
    const { finishedAt, resultUrl } = answer.data;
    // Its event was missed, such as while the page was loading.
    if (finishedAt && resultUrl) showExport({ batchId, resultUrl });
    return answer;
  },
  erasures: async (batchId) =>
    api(
      (await import('#contract/archive/erasing/endpoints')).erasureProgress,
      { params: { batchId } },
      { silent: true },
    ),
  contacts: async (batchId) =>
    api(
      (await import('#contract/contacts/importing/endpoints')).contactsProgress,
      { params: { batchId } },
      { silent: true },
    ),
};
/** Progress of long jobs (A27). */
const jobEvents: [string, boolean][] = [
  ...['contact-import', 'contacts-bulk', 'update-numbers', 'release-numbers'].flatMap(
    (job): [string, boolean][] => [
      [`${job}-progress`, false],
      [`${job}-completed`, true],
    ],
  ),
  ['erasure-progress', false],
  ['erasure-completed', true],
  ['export-progress', false],
  ['export-completed', true],
  ['bulk-purchase-progress', false],
  ['bulk-purchase-finished', true],
];
