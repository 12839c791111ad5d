import { sql } from 'kysely';
import { forwarding as contract } from '#contract';
import type { Tx } from '../../../platform/db.ts';

export const owns = ['forward_contact', 'forward_attempt'] as const;

export interface ContactRow {
  company_id: number;
  id: number;
  name: string;
  type: string;
  phone: string | null;
  user_id: number | null;
  extension: string;
  caller_id_pass_thru: boolean;
  confirm_key: string | null;
  schedule_id: number | null;
  timezone: string | null;
  tag_ids: number[];
  notes: string;
  verified_at: Date | null;
  last_answered_at: Date | null;
  deleted_at: Date | null;
  replaced_by: number | null;
  created_at: Date;
  updated_at: Date;
}
/** A contact with its tags and how many routes use it. `attempts` and `answered` count 30 days. */
export interface ContactView extends ContactRow {
  used: number;
  attempts: number;
  answered: number;
  tags: { id: number; name: string; color: string }[];
}

/** The answer rate counts 30 days. */
const answerRateSince = (now: Date) => new Date(now.getTime() - 30 * 86_400_000);
/** The contact's ID and those of contacts it replaced, which routes may still refer to. */
const representedIds = sql`(select array_agg(r.id) || c.id from forward_contact r where r.company_id = c.company_id and r.replaced_by = c.id)`;
const usageCount = sql`(select count(distinct f.route_id)::int from forward f where f.company_id = c.company_id and f.contact_id = any (coalesce(${representedIds}, array[c.id])))`;
const fromWithRate = (now: Date) => sql`from forward_contact c
  left join lateral (select count(*)::int attempts, count(*) filter (where a.answered)::int answered from forward_attempt a where a.company_id = c.company_id and a.contact_id = c.id and a.at >= ${answerRateSince(now)}) rate on true`;
const view = sql`c.*, ${usageCount} used, rate.attempts, rate.answered,
  coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by t.name_key) from tag t where t.company_id = c.company_id and t.id = any (c.tag_ids) and t.deleted_at is null), '[]') tags`;
const isFailing = sql`(rate.attempts >= ${contract.failing.attempts}::int and rate.answered < rate.attempts * ${contract.failing.share}::real)`;

export interface ContactFilter {
  search?: string | undefined;
  type?: string | undefined;
  state?: 'used' | 'unused' | 'failing' | undefined;
  tag?: string | undefined;
}
const sorts = {
  name: sql`lower(c.name)`,
  number: sql`c.target`,
  createdAt: sql`c.created_at`,
  last_answered_at: sql`coalesce(c.last_answered_at, '-infinity')`,
  used_by_count: usageCount,
  answer_rate_30d: sql`coalesce(rate.answered::real / nullif(rate.attempts, 0), 2)`,
} as const;
export type ContactSort = keyof typeof sorts;

export async function contactPage(
  tx: Tx,
  companyId: number,
  filter: ContactFilter,
  page: { sort: ContactSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: ContactView[]; total: number }> {
  const all = [sql`c.company_id = ${companyId} and c.deleted_at is null`];
  if (filter.search) {
    const like = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`;
    const digits = filter.search.replace(/\D/g, '');
    all.push(
      sql`(c.name ilike ${like(filter.search)} or c.notes ilike ${like(filter.search)} or c.phone ilike ${like(filter.search)} ${digits.length >= 2 ? sql`or c.phone like ${like(digits)}` : sql``})`,
    );
  }
  if (filter.type) all.push(sql`c.type = ${filter.type}`);
  if (filter.tag)
    all.push(
      sql`exists (select from tag t where t.company_id = c.company_id and t.id = any (c.tag_ids) and t.deleted_at is null and t.name_key = ${filter.tag.toLowerCase()})`,
    );
  if (filter.state === 'failing') all.push(isFailing);
  else if (filter.state)
    all.push(filter.state === 'used' ? sql`${usageCount} > 0` : sql`${usageCount} = 0`);
  const where = sql.join(all, sql` and `);
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const { rows } =
    await sql<ContactView>`select ${view} ${fromWithRate(now)} where ${where} order by ${sorts[page.sort]} ${direction}, c.id ${direction} limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(
      tx,
    );
  const total = (
    await sql<{ n: number }>`select count(*)::int n ${fromWithRate(now)} where ${where}`.execute(tx)
  ).rows[0]!.n;
  return { rows, total };
}
export const contactView = async (
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<ContactView | undefined> =>
  (
    await sql<ContactView>`select ${view} ${fromWithRate(now)} where c.company_id = ${companyId} and c.id = ${id} and c.deleted_at is null`.execute(
      tx,
    )
  ).rows[0];

export const countContacts = async (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<{ total: number; unused: number; failing: number }> =>
  (
    await sql<{
      total: number;
      unused: number;
      failing: number;
    }>`select count(*)::int total, count(*) filter (where x.used = 0)::int unused, count(*) filter (where x.bad)::int failing
    from (select ${usageCount} used, ${isFailing} bad ${fromWithRate(now)} where c.company_id = ${companyId} and c.deleted_at is null) x`.execute(
      tx,
    )
  ).rows[0]!;

/** The row, locked until the transaction ends. Undefined: the company has no such contact. */
export const lockContact = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<ContactRow | undefined> =>
  (
    await sql<ContactRow>`select c.* from forward_contact c where c.company_id = ${companyId} and c.id = ${id} and c.deleted_at is null for update`.execute(
      tx,
    )
  ).rows[0];

export type ContactColumns = Partial<
  Pick<
    ContactRow,
    | 'name'
    | 'type'
    | 'phone'
    | 'user_id'
    | 'extension'
    | 'caller_id_pass_thru'
    | 'confirm_key'
    | 'schedule_id'
    | 'timezone'
    | 'tag_ids'
    | 'notes'
    | 'verified_at'
    | 'last_answered_at'
    | 'updated_at'
    | 'deleted_at'
    | 'replaced_by'
  >
>;
/** Undefined: another contact has this destination and extension. */
export const insertContact = (
  tx: Tx,
  companyId: number,
  row: ContactColumns & { name: string; type: string },
  by: number | null,
  now: Date,
) =>
  tx
    .insertInto('forward_contact')
    .values({ ...row, company_id: companyId, created_by: by, created_at: now, updated_at: now })
    .onConflict((c) =>
      c.columns(['company_id', 'target', 'extension']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
export const updateContact = (tx: Tx, companyId: number, id: number, set: ContactColumns) =>
  tx
    .updateTable('forward_contact')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Whether another contact has this destination and extension. */
export const hasSameDestination = async (
  tx: Tx,
  companyId: number,
  id: number,
  target: string,
  extension: string,
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('forward_contact')
      .select('id')
      .where('company_id', '=', companyId)
      .where('target', '=', target)
      .where('extension', '=', extension)
      .where('id', '<>', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
/**
 * Serializes changes of destinations in a company, so that the result of `hasSameDestination` holds
 * until the update.
 */
export const lockDestinations = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended('forward-contacts', ${companyId}))`.execute(tx);

/** Contacts that `from` replaced are replaced by `to` from now on. */
export const redirectReplaced = (tx: Tx, companyId: number, from: number, to: number) =>
  tx
    .updateTable('forward_contact')
    .set({ replaced_by: to })
    .where('company_id', '=', companyId)
    .where('replaced_by', '=', from)
    .execute();

export interface UseRow {
  number_id: number;
  number: string;
  label: string;
  route_id: number;
  extension: number;
  route_label: string;
  position: number;
  weight: number | null;
}
/** Routes that refer to a contact, or to one it replaced. */
export const usesOf = async (tx: Tx, companyId: number, id: number): Promise<UseRow[]> =>
  (
    await sql<UseRow>`select n.id number_id, n.number, n.label, r.id route_id, r.extension, r.label route_label, f.position, f.weight
    from forward f join route r on r.company_id = f.company_id and r.id = f.route_id join number n on n.company_id = r.company_id and n.id = r.number_id
    where f.company_id = ${companyId} and f.contact_id in (select c.id from forward_contact c where c.company_id = ${companyId} and (c.id = ${id} or c.replaced_by = ${id})) order by n.number, r.extension, f.position`.execute(
      tx,
    )
  ).rows;

/**
 * Current destinations by the contact ID that routes refer to (`named`): of a replaced contact, its
 * replacement. `lock` locks them (`for key share`).
 */
export const destinationsByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  lock: boolean,
): Promise<(ContactRow & { named: number })[]> =>
  ids.length === 0
    ? []
    : (
        await sql<
          ContactRow & { named: number }
        >`select named.id named, c.* from forward_contact named join forward_contact c on c.company_id = named.company_id and c.id = coalesce(named.replaced_by, named.id)
    where named.company_id = ${companyId} and named.id = any (${[...ids]}::bigint[]) and c.deleted_at is null ${lock ? sql`for key share of c` : sql``}`.execute(
          tx,
        )
      ).rows;

/** Counts each leg once, even if its event is delivered again. */
export async function insertAttempts(
  tx: Tx,
  companyId: number,
  attempts: readonly { contact_id: number; leg: string; at: Date; answered: boolean }[],
): Promise<void> {
  for (const one of attempts) {
    const fresh = await tx
      .insertInto('forward_attempt')
      .values({ company_id: companyId, ...one })
      .onConflict((c) => c.columns(['company_id', 'contact_id', 'leg']).doNothing())
      .returning('leg')
      .executeTakeFirst();
    if (fresh && one.answered)
      await sql`update forward_contact set last_answered_at = greatest(last_answered_at, ${one.at}::timestamptz), verified_at = coalesce(verified_at, ${one.at}::timestamptz) where company_id = ${companyId} and id = ${one.contact_id}`.execute(
        tx,
      );
  }
}
/**
 * Forwarding contacts by the IDs of the forwards that refer to them. Other forwards are missing.
 */
export const contactsOfForwards = async (
  tx: Tx,
  companyId: number,
  forwardIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map(
    forwardIds.length === 0
      ? []
      : (
          await sql<{
            id: number;
            contact_id: number;
          }>`select f.id, coalesce(c.replaced_by, c.id) contact_id from forward f join forward_contact c on c.company_id = f.company_id and c.id = f.contact_id
    where f.company_id = ${companyId} and f.id = any (${[...forwardIds]}::bigint[])`.execute(tx)
        ).rows.map((row) => [row.id, row.contact_id]),
  );

export const activeUsersAmong = async (
  tx: Tx,
  companyId: number,
  userIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    userIds.length === 0
      ? []
      : (
          await tx
            .selectFrom('membership')
            .select('user_id')
            .where('company_id', '=', companyId)
            .where('role', '<>', 'deactivated')
            .where('user_id', 'in', [...userIds])
            .execute()
        ).map((row) => row.user_id),
  );
/** Names of users by ID, or else their email. Users belong to no company: pass `db.unscoped`. */
export const userNamesById = async (
  directory: Tx,
  userIds: readonly number[],
): Promise<Map<number, string>> =>
  new Map(
    userIds.length === 0
      ? []
      : (
          await directory
            .selectFrom('person')
            .select(['id', 'first_name', 'last_name', 'email'])
            .where('id', 'in', [...userIds])
            .execute()
        ).map((p) => [p.id, `${p.first_name} ${p.last_name}`.trim() || p.email]),
  );
export const scheduleExists = async (tx: Tx, companyId: number, id: number): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('schedule')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
/**
 * Labels and extensions of routes with how many numbers have them, most first. Released numbers
 * don't count. `numberIds` undefined or `visibleNumbers` null: all.
 */
export const extensionsInUse = async (
  tx: Tx,
  companyId: number,
  numberIds: readonly number[] | undefined,
  visibleNumbers: readonly number[] | null,
): Promise<{ label: string; extension: number; count: number }[]> =>
  (
    await sql<{ label: string; extension: number; count: number }>`
    select r.label, r.extension, count(distinct r.number_id)::int count
    from route r join number n on n.company_id = r.company_id and n.id = r.number_id
    where r.company_id = ${companyId} and n.status <> 'released'
      ${numberIds === undefined ? sql`` : sql`and n.id = any (${[...numberIds]}::bigint[])`}
      ${visibleNumbers === null ? sql`` : sql`and n.id = any (${[...visibleNumbers]}::bigint[])`}
    group by r.label, r.extension order by count desc, r.extension, r.label`.execute(tx)
  ).rows;
