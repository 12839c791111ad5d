import type { TxCtx } from '../../platform/context.ts';
import { unreadChanged } from '../numbers/index.ts';
import { recountRows, type ConversationRow } from './store.ts';

/** Conversations' counts and latest items told anew from their items, and their numbers' counts with them. */
export async function recount(ctx: TxCtx, ids: readonly number[]): Promise<ConversationRow[]> {
  const rows = await recountRows(ctx.tx, ctx.companyId, ids);
  const more = new Map<number, number>();
  for (const row of rows)
    if (row.unread_messages !== row.was)
      more.set(row.number_id, (more.get(row.number_id) ?? 0) + row.unread_messages - row.was);
  // In the order of numbers: two who read at once must not wait for each other.
  for (const [numberId, by] of [...more].sort((a, b) => a[0] - b[0]))
    if (by) await unreadChanged(ctx, numberId, by);
  return rows;
}
