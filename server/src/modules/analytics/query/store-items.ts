import { sql, type RawBuilder } from 'kysely';
import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import type { Tx } from '../../../platform/db.ts';
import { timeKey } from './store-dimensions.ts';

/** Texts, voicemails or faxes of a company in a span. */
export interface ItemsAsked {
  companyId: number;
  organizationId: number | null;
  /** Numbers of a person who is limited to some; null: all. */
  only: readonly number[] | null;
  kind: 'message' | 'voicemail' | 'fax';
  from: Date;
  to: Date;
  tz: string;
  group: ItemGroup;
  direction: 'inbound' | 'outbound' | 'all';
  numberIds: readonly number[] | null;
  userIds: readonly number[] | null;
}
interface ItemRow {
  /** null: of no one, or in no organization. */
  key: string | null;
  inbound: number;
  outbound: number;
}

/** How many came in and went out, by key. */
export async function countOfItems(tx: Tx, asked: ItemsAsked): Promise<ItemRow[]> {
  const { companyId, only, numberIds, userIds, direction } = asked;
  const { rows } = await sql<ItemRow>`
    select key::text "key", inbound, outbound from (
      select ${keyOf(asked)} key, (count(*) filter (where i.is_inbound))::int inbound,
        (count(*) filter (where not i.is_inbound))::int outbound
      from conversation_item i
      where i.company_id = ${companyId} and i.kind = ${asked.kind} and i.deleted_at is null
        and i.created_at >= ${asked.from} and i.created_at < ${asked.to}
        and ${among(sql`i.number_id`, only)} and ${among(sql`i.number_id`, numberIds)}
        and ${among(sql`i.actor_id`, userIds)}
        and ${direction === 'all' ? sql`true` : sql`i.is_inbound = ${direction === 'inbound'}`}
      group by 1) p`.execute(tx);
  return rows;
}

const among = (of: RawBuilder<unknown>, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${of} = any(${[...ids]}::bigint[])`;

function keyOf({ group, tz, companyId, organizationId }: ItemsAsked): RawBuilder<unknown> {
  switch (group) {
    case 'none':
      return sql`'all'`;
    case 'number':
      return sql`i.number_id`;
    case 'user':
      return sql`i.actor_id`;
    case 'company':
      return sql`${companyId}::bigint`;
    case 'business_unit':
      return sql`${organizationId}::bigint`;
    default:
      return timeKey(group, sql`i.created_at`, tz);
  }
}
