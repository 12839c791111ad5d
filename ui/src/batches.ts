import { flash } from './flash-store.ts';
import { makeStore } from './store.ts';

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
export interface BatchNews {
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

export const finishedStayMs = 5000;
const place = 'trunkline.batches';
const box = typeof localStorage === 'undefined' ? null : localStorage;
function kept(): Batch[] {
  try {
    return (JSON.parse(box?.getItem(place) ?? '[]') as Batch[]).filter(
      (b) => b.finishedAt === null,
    );
  } catch {
    return [];
  }
}
export const batchStore = makeStore<{ batches: Batch[] }>({ batches: kept() }, ({ batches }) =>
  box?.setItem(place, JSON.stringify(batches)),
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
export const dropBatch = (id: string): void =>
  batchStore.set((s) => ({ batches: s.batches.filter((b) => b.id !== id) }));

/** News of a job: unknown jobs (started in another tab or by a colleague) are left alone unless a label comes with them. */
export function batchNews(news: BatchNews, finished: boolean, label?: string): void {
  if (label && !finished)
    trackBatch({ id: news.batchId, label, ...(news.total !== undefined && { total: news.total }) });
  const before = batchStore.get().batches.find((b) => b.id === news.batchId);
  if (!before || before.finishedAt !== null) return;
  // Asked after instead of heard: what concerns the whole job stands at row 0.
  const problem = finished
    ? (news.failure ?? news.errors?.find((e) => e.row === 0)?.message ?? null)
    : null;
  const failed = Array.isArray(news.failed) ? news.failed.length : news.failed;
  const next: Batch = {
    ...before,
    progress: finished ? 100 : Math.max(before.progress, news.progress ?? before.progress),
    total: news.total ?? before.total,
    processed: news.processed ?? before.processed,
    failed: failed ?? before.failed,
    resultUrl: news.resultUrl ?? before.resultUrl,
    finishedAt: finished ? Date.now() : null,
    problem,
  };
  batchStore.set((s) => ({ batches: s.batches.map((b) => (b.id === next.id ? next : b)) }));
  // The entry leaves in five seconds; whoever began it is told so that it is read.
  if (problem) flash.danger(problem, { detail: next.label });
  if (finished) setTimeout(() => dropBatch(next.id), finishedStayMs);
}

/** How to ask after a job again when no event comes (after a reload, after a lost connection). Null: the job is unknown by now. */
let reader: ((id: string, of: string | null) => Promise<BatchNews | null>) | null = null;
export const setBatchReader = (read: typeof reader): void => void (reader = read);
export async function askAfterBatches(): Promise<void> {
  for (const batch of batchStore.get().batches) {
    if (batch.finishedAt !== null || !reader) continue;
    const news = await reader(batch.id, batch.of ?? null).catch(() => undefined);
    if (news === null) dropBatch(batch.id);
    else if (news) batchNews(news, Boolean(news.finishedAt));
  }
}
