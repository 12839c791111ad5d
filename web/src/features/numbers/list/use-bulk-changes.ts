import { numbers } from '#contract';
import type { BodyIn } from '#contract/kit';
import { confirm, showUndoToast, t, trackBatch, useApiMutation } from '#ui';
import { numberLists } from '../number-lists.ts';

export type BulkFilters = NonNullable<BodyIn<typeof numbers.updateNumbersInBulk>['filters']>;
/** Numbers by ID, or all that match the filters of the list. */
type BulkSelection = { ids: number[] } | { all: true; filters: BulkFilters };

const releaseUndoMs = 12_000;

/**
 * Changes or releases many numbers by a job with live progress. `onStarted` is called when the job
 * was accepted.
 */
export function useBulkChanges(selection: BulkSelection, onStarted: () => void) {
  const update = useApiMutation(numbers.updateNumbersInBulk, { invalidates: numberLists });
  const remove = useApiMutation(numbers.removeNumbersInBulk, { invalidates: numberLists });

  const change = async (patch: numbers.BulkPatch): Promise<void> => {
    const response = await update.mutate({ body: { ...selection, patch } });
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('{n, plural, one {Changing # number} other {Changing # numbers}}', {
        n: response.data.total,
      }),
      total: response.data.total,
    });
    onStarted();
  };
  const keep = async (ids: number[]): Promise<void> => {
    const kept = await remove.mutate({ body: { ids, undo: true } });
    if (kept)
      trackBatch({
        id: kept.data.batchId,
        label: t('{n, plural, one {Keeping # number} other {Keeping # numbers}}', {
          n: kept.data.total,
        }),
        total: kept.data.total,
      });
  };
  const release = async (size: number, count: string): Promise<void> => {
    if (!(await confirmRelease(size, count))) return;
    const response = await remove.mutate({ body: selection });
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('{n, plural, one {Releasing # number} other {Releasing # numbers}}', {
        n: response.data.total,
      }),
      total: response.data.total,
    });
    if ('ids' in selection)
      showUndoToast(
        t('{n, plural, one {# number is being released} other {# numbers are being released}}', {
          n: response.data.total,
        }),
        () => void keep(selection.ids),
        releaseUndoMs,
      );
    onStarted();
  };
  return { change, release, isUpdating: update.isPending, isReleasing: remove.isPending };
}

/** `n` is the number of numbers, `count` the same as shown on screen. */
const confirmRelease = (n: number, count: string): Promise<boolean> =>
  confirm({
    title: t('{n, plural, one {Release {count} number?} other {Release {count} numbers?}}', {
      n,
      count,
    }),
    confirmLabel: t('{n, plural, one {Release {count} number} other {Release {count} numbers}}', {
      n,
      count,
    }),
    danger: true,
    body: t(
      'They stop taking calls and texts right away. You can keep them for 72 hours. Then they go back to the carrier.',
    ),
  });
