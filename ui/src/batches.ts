import { toast } from './toast.ts';
import { createStore } from './store.ts';

/** Long jobs on show in the progress tray. They survive a reload and leave 5 s after finishing (A §4). */
export interface Batch {
  id: string;
  label: string;
  /** Jobs of what it is (`contacts`, `exports`), so that it is asked after at the right place. */ of:
    | string
    | null;
  progress: number;
  total: number | null;
  processed: number | null;
  failed: number;
  finishedAt: number | null;
  resultUrl: string | null;
  /** Why the whole of it failed. */ problem?: string | null;
}
/** What events and progress answers say (A1 async job, A27). */
export interface BatchUpdate {
  batchId: string;
  progress?: number | undefined;
  total?: number | undefined;
  processed?: number | undefined;
  failed?: number | unknown[] | undefined;
  finishedAt?: string | null | undefined;
  resultUrl?: string | null | undefined;
  failure?: string | null | undefined;
  errors?: readonly { row: number; message: string }[] | undefined;
}

export const finishedVisibleMs = 5000;
const storageKey = 'trunkline.batches';
const storage = typeof localStorage === 'undefined' ? null : localStorage;
function readStored(): Batch[] {
  try {
    return (JSON.parse(storage?.getItem(storageKey) ?? '[]') as Batch[]).filter(
      (b) => b.finishedAt === null,
    );
  } catch {
    return [];
  }
}
export const batchStore = createStore<{ batches: Batch[] }>(
  { batches: readStored() },
  ({ batches }) => storage?.setItem(storageKey, JSON.stringify(batches)),
);

/** Put a job on show. */
export function trackBatch(batch: {
  id: string;
  label: string;
  total?: number;
  of?: string;
}): void {
  if (batchStore.get().batches.some((b) => b.id === batch.id)) return;
  batchStore.set((s) => ({
    batches: [
      ...s.batches,
      {
        progress: 0,
        processed: null,
        failed: 0,
        finishedAt: null,
        resultUrl: null,
        total: null,
        of: null,
        ...batch,
      },
    ],
  }));
}
export const removeBatch = (id: string): void =>
  batchStore.set((s) => ({ batches: s.batches.filter((b) => b.id !== id) }));

/** News of a job: unknown jobs (started in another tab or by a colleague) are left alone unless a label comes with them. */
export function updateBatch(update: BatchUpdate, finished: boolean, label?: string): void {
  if (label && !finished)
    trackBatch({
      id: update.batchId,
      label,
      ...(update.total !== undefined && { total: update.total }),
    });
  const before = batchStore.get().batches.find((b) => b.id === update.batchId);
  if (!before || before.finishedAt !== null) return;
  // Asked after instead of heard: what concerns the whole job stands at row 0.
  const problem = finished
    ? (update.failure ?? update.errors?.find((e) => e.row === 0)?.message ?? null)
    : null;
  const failed = Array.isArray(update.failed) ? update.failed.length : update.failed;
  const next: Batch = {
    ...before,
    progress: finished ? 100 : Math.max(before.progress, update.progress ?? before.progress),
    total: update.total ?? before.total,
    processed: update.processed ?? before.processed,
    failed: failed ?? before.failed,
    resultUrl: update.resultUrl ?? before.resultUrl,
    finishedAt: finished ? Date.now() : null,
    problem,
  };
  batchStore.set((s) => ({ batches: s.batches.map((b) => (b.id === next.id ? next : b)) }));
  // The entry leaves in five seconds; whoever began it is told so that it is read.
  if (problem) toast.danger(problem, { detail: next.label });
  if (finished) setTimeout(() => removeBatch(next.id), finishedVisibleMs);
}

/** How to ask after a job again when no event comes (after a reload, after a lost connection). Null: the job is unknown by now. */
let poller: ((id: string, of: string | null) => Promise<BatchUpdate | null>) | null = null;
export const setBatchPoller = (read: typeof poller): void => void (poller = read);
export async function pollBatches(): Promise<void> {
  for (const batch of batchStore.get().batches) {
    if (batch.finishedAt !== null || !poller) continue;
    const update = await poller(batch.id, batch.of ?? null).catch(() => undefined);
    if (update === null) removeBatch(batch.id);
    else if (update) updateBatch(update, Boolean(update.finishedAt));
  }
}
