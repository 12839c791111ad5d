import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type NumberRecord = Selectable<Tables['number']>;
/** A number with what the lists show beside it. */
export interface NumberView extends NumberRecord {
  /** Muted by the person at work, on some channel. */
  muted: boolean;
  unread: number;
  /** The company's own setting that texting requires verification; null: never set. */
  verification_asked: boolean | null;
  last_call_at: Date | null;
  last_message_at: Date | null;
  tags: { id: number; name: string; color: string }[];
  user_ids: number[];
  /** The request that ported it in. Read for a single number only. */
  port?: {
    id: number;
    status: string;
    losing_carrier: string;
    completed_at: string | null;
  } | null;
}

const tagsOf = sql`coalesce((
  select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
      order by t.name_key)
  from number_tag nt
  join tag t on t.company_id = nt.company_id and t.id = nt.tag_id and t.deleted_at is null
  where nt.company_id = n.company_id and nt.number_id = n.id), '[]') tags`;
const activityColumns = sql`coalesce(a.unread, 0) unread, a.last_call_at, a.last_message_at`;
const verificationAsked = sql`(select c.settings -> 'texting_requires_verification'
  from company c where c.id = n.company_id) verification_asked`;
const userIds = sql`coalesce((
  select array_agg(m.user_id order by m.user_id) from membership m
  where m.company_id = n.company_id and n.id = any (m.number_ids) and m.role <> 'deactivated'
), '{}') user_ids`;
/** Columns of a `NumberView`. */
export const viewColumns = sql`n.*, ${verificationAsked},
  number_is_muted(n.company_id, n.id) muted, ${activityColumns}, ${tagsOf}, ${userIds}`;
const rowColumns = [
  'id',
  'number',
  'label',
  'category',
  'kind',
  'status',
  'routing_type',
  'forward_number',
  'region',
  'city',
  'sms_enabled',
  'sms_verification_status',
  'provider_ref',
  'record',
  'returns_at',
  'purchased_at',
  'dni_pool_id',
] as const;
/** What a row of the table shows. */
export type NumberRowView = Pick<
  NumberView,
  | (typeof rowColumns)[number]
  | 'verification_asked'
  | 'unread'
  | 'last_call_at'
  | 'last_message_at'
  | 'tags'
> & {
  /** The name of its tracking pool. */
  pool_name: string | null;
};
/** Columns of a `NumberRowView`. */
export const rowViewColumns = sql`${sql.join(rowColumns.map((column) => sql.ref(`n.${column}`)))},
  ${verificationAsked}, ${activityColumns}, ${tagsOf},
  number_pool_name(n.company_id, n.dni_pool_id) pool_name`;
const portColumn = sql`number_port(n.company_id, n.id) port`;
/** Rows for the columns above. */
export const numberSource = sql`from number n
  left join number_activity a on a.company_id = n.company_id and a.number_id = n.id`;
/** The numbers a person may see. Null: all; an empty list: none. */
export const visibleCondition = (only: readonly number[] | null) =>
  only === null ? sql`true` : sql`n.id = any (${[...only]}::bigint[])`;

/** Undefined: the company has no such number, it was given up, or this person may not see it. */
export async function numberView(
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: readonly number[] | null,
): Promise<NumberView | undefined> {
  const { rows } = await sql<NumberView>`
    select ${viewColumns}, ${portColumn} ${numberSource}
    where n.company_id = ${companyId} and n.id = ${id} and n.status <> 'released'
      and ${visibleCondition(visibleNumbers)}`.execute(tx);
  return rows[0];
}
/** Ordered by id. */
export async function numberViews(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<NumberView[]> {
  const { rows } = await sql<NumberView>`
    select ${viewColumns} ${numberSource}
    where n.company_id = ${companyId} and n.id = any (${[...ids]}::bigint[])
    order by n.id`.execute(tx);
  return rows;
}
/** All numbers that a company has or is giving up, those bought first first. */
export async function heldNumbers(tx: Tx, companyId: number): Promise<NumberView[]> {
  const { rows } = await sql<NumberView>`
    select ${viewColumns} ${numberSource}
    where n.company_id = ${companyId} and n.status not in ('released', 'pending')
    order by n.purchased_at, n.id`.execute(tx);
  return rows;
}
/** The row, also of a number given up. Undefined: none of this ID. */
export const numberRecord = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('number')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** The rows, also of numbers given up. */
export const numberRecords = (tx: Tx, companyId: number, ids: readonly number[]) =>
  tx
    .selectFrom('number')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .execute();
/**
 * The row, locked until the transaction ends. Undefined: the company has no such number, it was
 * given up, or this person may not see it.
 */
export async function lockNumber(
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: readonly number[] | null,
): Promise<NumberRecord | undefined> {
  const { rows } = await sql<NumberRecord>`
    select n.* from number n
    where n.company_id = ${companyId} and n.id = ${id} and n.status <> 'released'
      and ${visibleCondition(visibleNumbers)} for update`.execute(tx);
  return rows[0];
}
/**
 * Removes a number from the directory, if this row has it: calls and texts no longer reach the
 * company.
 */
export const unclaimNumber = (tx: Tx, number: string, id: number) =>
  sql`select unclaim_number(${number}, ${id})`.execute(tx);
/** Enters a number given up before in the directory again. False: another company has it. */
export async function reclaimNumber(
  tx: Tx,
  number: string,
  id: number,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql<{ won: boolean }>`
    select claim_number(${number}, ${id}, 0, ${at}) won`.execute(tx);
  return rows[0]?.won ?? false;
}
/** The number this company has by a lease. Undefined: none, or it was given up. */
export const leasedNumber = (tx: Tx, companyId: number, listingId: number) =>
  tx
    .selectFrom('number')
    .select(['id', 'number'])
    .where('company_id', '=', companyId)
    .where('lease_listing_id', '=', listingId)
    .where('status', '<>', 'released')
    .executeTakeFirst();
/** Changes columns of a number. */
export const updateNumberRow = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<Omit<NumberRecord, 'company_id' | 'id'>>,
) =>
  tx
    .updateTable('number')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Sets the tags of a number. */
export async function replaceTags(
  tx: Tx,
  companyId: number,
  numberId: number,
  tagIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('number_tag')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .execute();
  if (tagIds.length)
    await tx
      .insertInto('number_tag')
      .values(tagIds.map((tag_id) => ({ company_id: companyId, number_id: numberId, tag_id })))
      .execute();
}

/** Adds traffic. `unread` is the change of the unread count, which never gets negative. */
export const recordActivity = (
  tx: Tx,
  companyId: number,
  numberId: number,
  activity: { callAt?: Date; messageAt?: Date; unread?: number },
) => {
  const { callAt = null, messageAt = null, unread = 0 } = activity;
  return sql`
    insert into number_activity as a
      (company_id, number_id, unread, last_call_at, last_message_at)
    values (${companyId}, ${numberId}, greatest(0, ${unread}::int), ${callAt}, ${messageAt})
    on conflict (company_id, number_id) do update set
      unread = greatest(0, a.unread + ${unread}::int),
      last_call_at = greatest(a.last_call_at, excluded.last_call_at),
      last_message_at = greatest(a.last_message_at, excluded.last_message_at)`.execute(tx);
};
