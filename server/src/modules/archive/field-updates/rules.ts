import { undoHours } from '#contract/archive/field-updates/rules';
import type { UpdateRow } from './store.ts';

/** Until when a run can be undone; null: it can't be at all. */
export const undoUntil = ({
  state,
  finished_at,
  changed,
}: Pick<UpdateRow, 'state' | 'finished_at' | 'changed'>): Date | null =>
  (state === 'finished' || state === 'failed') && finished_at && changed > 0
    ? new Date(finished_at.getTime() + undoHours * 3_600_000)
    : null;
