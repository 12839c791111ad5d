import { sql, type RawBuilder } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { activityCondition, type ActivityFilter, type Filter } from './store-activity.ts';
import { itemSource, type InboxItemRow } from './store-item-lists.ts';

// Every open page asks these again and again: planning them would take longer than they do.

type Scope = Omit<ActivityFilter, 'kinds' | 'groups' | 'extraConditions'>;
const only = (field: Filter['field']): Filter[][] => [[{ field, op: 'eq', value: true }]];
/** The same conditions as the activity lists with these two filters. */
export const missedCondition = (scope: Scope): RawBuilder<unknown> =>
  activityCondition({ ...scope, kinds: ['call'], groups: only('callback_due') });
/** The SQL condition for unread voicemails, in archived conversations too. */
export const unheardCondition = (scope: Scope): RawBuilder<unknown> =>
  activityCondition({ ...scope, kinds: ['voicemail'], groups: only('unread') });
/** Unread items of one kind in open conversations. */
const unreadCondition = (
  scope: Scope,
  kind: 'call' | 'message' | 'voicemail' | 'fax',
): RawBuilder<unknown> =>
  sql`${activityCondition({ ...scope, kinds: [kind], groups: only('unread') })}
    and c.archived_at is null`;

/** An item that waits, and since when. */
export type WaitingItem = Pick<InboxItemRow, 'id' | 'created_at'>;

/**
 * How many items fulfill a condition on `i` (the item) and `c` (its conversation), counted up to
 * `most`, and the oldest of them: one walk for both. Null: there is none.
 */
export async function countFromOldest(
  tx: Tx,
  where: RawBuilder<unknown>,
  most: number,
): Promise<{ total: number; total_is_capped: boolean; oldest: WaitingItem | null }> {
  const { rows } = await sql<WaitingItem & { n: number }>`${prepared}
    with waiting as materialized (select i.id, i.created_at ${itemSource()}
      where ${where} order by i.created_at, i.id limit ${most + 1})
    select id, created_at, (select count(*)::int from waiting) n
    from waiting order by created_at, id limit 1`.execute(tx);
  const [found] = rows;
  if (!found) return { total: 0, total_is_capped: false, oldest: null };
  const { n, ...oldest } = found;
  return { total: Math.min(n, most), total_is_capped: n > most, oldest };
}
/** The oldest unread item of the open conversations, of each kind. */
export async function oldestOfKinds(tx: Tx, scope: Scope): Promise<WaitingItem[]> {
  const { rows } = await sql<WaitingItem>`${prepared}${sql.join(
    (['message', 'call', 'voicemail', 'fax'] as const).map(
      (kind) => sql`(select i.id, i.created_at ${itemSource()}
        where ${unreadCondition(scope, kind)} order by i.created_at, i.id limit 1)`,
    ),
    sql` union all `,
  )}`.execute(tx);
  return rows;
}
/**
 * The oldest unread item of the open conversations, looked for in each of them; null when there is
 * none. For when they are few: archived conversations keep what was never read, and looking for the
 * oldest among all unread items reads those of the archived ones first.
 */
export async function oldestUnread(tx: Tx, scope: Scope): Promise<WaitingItem | null> {
  const visible = scope.sight ? sql`and i.number_id = any(${[...scope.sight]}::bigint[])` : sql``;
  const { rows } = await sql<WaitingItem>`${prepared}select i.id, i.created_at
    from conversation c cross join lateral (
      select i.* from conversation_item i
      where i.company_id = c.company_id and i.conversation_id = c.id and i.read_at is null
        and i.is_inbound and i.deleted_at is null ${visible}
      -- Looked up as it is, by the index of unread items: the order by time or the kinds below would
      -- lead the planner to the index of whole threads.
      offset 0
    ) i
    where c.company_id = ${scope.companyId} and c.unread > 0 and c.archived_at is null
      and c.deleted_at is null and i.kind in ('call', 'message', 'voicemail', 'fax', 'form')
    order by i.created_at, i.id limit 1`.execute(tx);
  return rows[0] ?? null;
}
