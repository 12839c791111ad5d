import type { TxCtx } from '../../platform/context.ts';
import { changeUnread } from '../numbers/index.ts';
import { recomputeRows, type ConversationRow } from './store.ts';

/**
 * Recomputes conversations' counts and latest items from their items, and their numbers' counts.
 */
export async function recomputeCounters(
  ctx: TxCtx,
  ids: readonly number[],
): Promise<ConversationRow[]> {
  const rows = await recomputeRows(ctx.tx, ctx.companyId, ids);
  const unreadByNumber = new Map<number, number>();
  for (const row of rows)
    if (row.unread_messages !== row.was)
      unreadByNumber.set(
        row.number_id,
        (unreadByNumber.get(row.number_id) ?? 0) + row.unread_messages - row.was,
      );
  // In the order of numbers, so that two concurrent calls can't deadlock.
  for (const [numberId, by] of [...unreadByNumber].sort((a, b) => a[0] - b[0]))
    if (by) await changeUnread(ctx, numberId, by);
  return rows;
}
