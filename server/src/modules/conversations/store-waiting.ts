import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { activityCondition, type ActivityFilter, type Filter } from './store-activity.ts';
import { countCapped, itemSource, type InboxItemRow } from './store-lists.ts';

type Scope = Omit<ActivityFilter, 'kinds' | 'groups' | 'extraConditions'>;
const only = (field: Filter['field']): Filter[][] => [[{ field, op: 'eq', value: true }]];
/** The same conditions as the activity lists with these two filters. */
export const missedCondition = (scope: Scope): RawBuilder<unknown> =>
  activityCondition({ ...scope, kinds: ['call'], groups: only('callback_due') });
export const unheardCondition = (scope: Scope): RawBuilder<unknown> =>
  activityCondition({ ...scope, kinds: ['voicemail'], groups: only('unread') });
/** Unread items of one kind in open conversations. */
export const unreadCondition = (
  scope: Scope,
  kind: 'call' | 'message' | 'voicemail' | 'fax',
): RawBuilder<unknown> =>
  sql`${activityCondition({ ...scope, kinds: [kind], groups: only('unread') })}
    and i.kind = ${sql.lit(kind)} and c.archived_at is null`;

/** Count of items that match a condition on `i` (the item) and `c` (its conversation). */
export async function countItems(
  tx: Tx,
  where: RawBuilder<unknown>,
): Promise<{ total: number; total_is_capped: boolean }> {
  const page = await countCapped(tx, sql`${itemSource()} where ${where}`, { limit: 1, offset: 0 });
  return { total: page.total, total_is_capped: page.capped };
}
/** The oldest such item; null when there is none. */
export async function oldestItem(tx: Tx, where: RawBuilder<unknown>): Promise<InboxItemRow | null> {
  const { rows } = await sql<InboxItemRow>`select i.*, c.party, c.contact_id ${itemSource()}
    where ${where} order by i.created_at, i.id limit 1`.execute(tx);
  return rows[0] ?? null;
}
