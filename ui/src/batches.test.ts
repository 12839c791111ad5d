import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast } from './toast.ts';
import { pollBatches, updateBatch, batchStore, setBatchPoller, trackBatch } from './batches.ts';

beforeEach(() => {
  vi.useFakeTimers();
  batchStore.set({ batches: [] });
});
afterEach(() => void vi.useRealTimers());
const ids = (): string[] => batchStore.get().batches.map((b) => b.id);

it('a finished job leaves 5 s after finishing (A §4)', () => {
  trackBatch({ id: 'b1', label: 'Buying numbers', total: 10 });
  updateBatch({ batchId: 'b1', progress: 40, processed: 4 }, false);
  updateBatch({ batchId: 'b1', failed: [{}, {}] }, true);
  expect(batchStore.get().batches[0]).toMatchObject({ progress: 100, failed: 2 });
  vi.advanceTimersByTime(4999);
  expect(ids()).toEqual(['b1']);
  vi.advanceTimersByTime(1);
  expect(ids()).toEqual([]);
});
it('a job that failed as a whole shows the reason to the person who started it, and is not done', () => {
  const why = 'Import failure. Please try to import contacts once again';
  trackBatch({ id: 'b1', label: 'Importing people.csv', of: 'contacts' });
  updateBatch({ batchId: 'b1', progress: 100, failed: 1, failure: why }, true);
  expect(batchStore.get().batches[0]).toMatchObject({ problem: why });
  expect(toast.store.get().notice).toMatchObject({ type: 'danger', title: why });
  toast.clear();
  // After a reload the job is polled: the reason is at row 0. The failure of a colleague's job is
  // shown to the colleague only.
  trackBatch({ id: 'b2', label: 'Importing more.csv', of: 'contacts' });
  updateBatch(
    {
      batchId: 'b2',
      progress: 100,
      finishedAt: '2026-11-21T10:00:00Z',
      errors: [
        { row: 7, message: 'No number.' },
        { row: 0, message: why },
      ],
    },
    true,
  );
  expect(batchStore.get().batches[1]).toMatchObject({ problem: why });
  expect(toast.store.get().notice).toMatchObject({ type: 'danger', title: why });
  toast.clear();
  updateBatch({ batchId: 'of-another', failed: 1, failure: why }, true);
  trackBatch({ id: 'b3', label: 'Importing rows.csv', of: 'contacts' });
  updateBatch({ batchId: 'b3', failed: 1, errors: [{ row: 7, message: 'No number.' }] }, true);
  expect(toast.store.get().notice).toBeNull();
});
it('progress never decreases, and a colleague’s job is not shown', () => {
  trackBatch({ id: 'b1', label: 'x' });
  updateBatch({ batchId: 'b1', progress: 60 }, false);
  updateBatch({ batchId: 'b1', progress: 30 }, false);
  updateBatch({ batchId: 'of-another', progress: 30 }, false);
  expect(batchStore.get().batches).toMatchObject([{ id: 'b1', progress: 60 }]);
});
it('after a reload jobs are polled; a job that no longer exists is removed', async () => {
  trackBatch({ id: 'b1', label: 'x' });
  trackBatch({ id: 'b2', label: 'y' });
  setBatchPoller(async (id) =>
    id === 'b2' ? null : { batchId: id, progress: 100, finishedAt: '2026-11-21T10:00:00Z' },
  );
  await pollBatches();
  expect(batchStore.get().batches).toMatchObject([{ id: 'b1', progress: 100 }]);
  vi.advanceTimersByTime(5000);
  expect(ids()).toEqual([]);
});
