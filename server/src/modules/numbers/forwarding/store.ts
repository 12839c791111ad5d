import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

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
/** The row, locked until the transaction ends. Undefined: the company has no such contact. */
export const lockContact = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<ContactRow | undefined> =>
  (
    await sql<ContactRow>`select c.* from forward_contact c where c.company_id = ${companyId}
      and c.id = ${id} and c.deleted_at is null for update`.execute(tx)
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
/** Changes columns of a forwarding contact. */
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
        >`select named.id named, c.* from forward_contact named join forward_contact c
          on c.company_id = named.company_id and c.id = coalesce(named.replaced_by, named.id)
    where named.company_id = ${companyId} and named.id = any (${[...ids]}::bigint[])
      and c.deleted_at is null ${lock ? sql`for key share of c` : sql``}`.execute(tx)
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
      await sql`update forward_contact set last_answered_at = greatest(last_answered_at,
          ${one.at}::timestamptz), verified_at = coalesce(verified_at, ${one.at}::timestamptz)
        where company_id = ${companyId} and id = ${one.contact_id}`.execute(tx);
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
          }>`select f.id, coalesce(c.replaced_by, c.id) contact_id from forward f
            join forward_contact c on c.company_id = f.company_id and c.id = f.contact_id
    where f.company_id = ${companyId} and f.id = any (${[...forwardIds]}::bigint[])`.execute(tx)
        ).rows.map((row) => [row.id, row.contact_id]),
  );

/** Which of these users are members of the company and not deactivated. */
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
