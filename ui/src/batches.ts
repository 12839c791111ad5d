import { toast } from './toast.ts';
import { createStore } from './store.ts';

/**
 * Long-running jobs in the progress tray. They survive a reload and disappear 5 s after finishing
 * (A §4).
 */
export interface Batch {
  id: string;
  label: string;
  /** Kind of job (`contacts`, `exports`), which determines the endpoint to poll. */
  of: string | null;
  progress: number;
  total: number | null;
  processed: number | null;
  failed: number;
  finishedAt: number | null;
  resultUrl: string | null;
  /** Why the job failed as a whole. */
  problem?: string | null;
}
/** Job progress from events and progress responses (A1 async job, A27). */
interface BatchUpdate {
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

const finishedVisibleMs = 5000;
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

/** Adds a job to the tray. */
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
/** Takes a background job off the progress list; the job itself goes on. */
export const removeBatch = (id: string): void =>
  batchStore.set((s) => ({ batches: s.batches.filter((b) => b.id !== id) }));

/**
 * Updates a job. Unknown jobs (started in another tab or by a colleague) are ignored unless a label
 * is given.
 */
export function updateBatch(update: BatchUpdate, finished: boolean, label?: string): void {
  if (label && !finished)
    trackBatch({
      id: update.batchId,
      label,
      ...(update.total !== undefined && { total: update.total }),
    });
  const before = batchStore.get().batches.find((b) => b.id === update.batchId);
  if (!before || before.finishedAt !== null) return;
  // Polled instead of received by event: an error of the whole job is at row 0.
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
  // The entry disappears in five seconds, so the error is also shown as a toast.
  if (problem) toast.danger(problem, { detail: next.label });
  if (finished) setTimeout(() => removeBatch(next.id), finishedVisibleMs);
}

/**
 * Polls a job when no event arrives (after a reload or reconnect). Null: the job no longer exists.
 */
let poller: ((id: string, of: string | null) => Promise<BatchUpdate | null>) | null = null;
/** Installs how a job's progress is read. The poller returns null when the job no longer exists. */
export const setBatchPoller = (read: typeof poller): void => void (poller = read);
/** Reads the progress of all unfinished jobs once. A failed read leaves the job as it was. */
export async function pollBatches(): Promise<void> {
  for (const batch of batchStore.get().batches) {
    if (batch.finishedAt !== null || !poller) continue;
    const update = await poller(batch.id, batch.of ?? null).catch(() => undefined);
    if (update === null) removeBatch(batch.id);
    else if (update) updateBatch(update, Boolean(update.finishedAt));
  }
}
