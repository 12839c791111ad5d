import type { Tx } from '../../platform/db.ts';
import type { VisibleNumbers } from './store.ts';

/** Conversations with unread items, locked before their items, as everywhere. */
export async function lockUnreadConversations(
  tx: Tx,
  companyId: number,
  numbers: VisibleNumbers,
): Promise<number[]> {
  let q = tx
    .selectFrom('conversation')
    .select('id')
    .where('company_id', '=', companyId)
    .where('unread', '>', 0)
    .where('deleted_at', 'is', null);
  if (numbers) q = q.where('number_id', 'in', numbers.length ? [...numbers] : [0]);
  return (await q.orderBy('id').forUpdate().execute()).map((r) => r.id);
}
