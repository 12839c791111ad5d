import { sql } from 'kysely';
import type { CompanyRole } from '#contract';
import type { Tx } from '../../../platform/db.ts';

interface LockedMember {
  user_id: number;
  role: CompanyRole;
  previous_role: CompanyRole | null;
  number_ids: number[];
}

/** A member's name, or address where they have none. */
export interface MemberName {
  id: number;
  name: string;
}
/** Those of these people who are members of the company, by name. */
export const membersByIds = async (
  directory: Tx,
  companyId: number,
  userIds: readonly number[],
): Promise<MemberName[]> =>
  (
    await sql<MemberName>`select p.id,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name
      from membership m join person p on p.id = m.user_id
      where m.company_id = ${companyId} and m.user_id = any(${[...userIds]}::bigint[])
      order by name, p.id`.execute(directory)
  ).rows;

/** Members of a company, locked until the transaction ends; unknown IDs are left out. */
export const lockMembers = (tx: Tx, companyId: number, userIds: readonly number[]) =>
  tx
    .selectFrom('membership')
    .select(['user_id', 'role', 'previous_role', 'number_ids'])
    .where('company_id', '=', companyId)
    .where('user_id', 'in', [...userIds])
    .orderBy('user_id')
    .forUpdate()
    .execute() as Promise<LockedMember[]>;

/** Sets a member's role. Deactivation keeps the role before it, for the reactivation. */
export const setMemberRole = (
  tx: Tx,
  companyId: number,
  userId: number,
  role: CompanyRole,
  now: Date,
) =>
  sql`update membership set role = ${role},
      previous_role = case when ${role} <> 'deactivated' then null
        when role = 'deactivated' then previous_role else role end,
      deactivated_at = ${role === 'deactivated' ? now : null}
    where company_id = ${companyId} and user_id = ${userId}`.execute(tx);

/** Removes a member; their history refers to the person and stays. */
export const deleteMember = (tx: Tx, companyId: number, userId: number) =>
  tx
    .deleteFrom('membership')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .execute();

/** The companies a person is active in, those of their organizations included. System role. */
export const activeCompaniesOf = async (db: Tx, userId: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`select company_id id from membership
        where user_id = ${userId} and role <> 'deactivated'
      union select c.id from organization_admin a
        join company c on c.organization_id = a.organization_id where a.user_id = ${userId}`.execute(
      db,
    )
  ).rows.map((row) => row.id);

/** Whether a person is staff, administers an organization or is a member elsewhere. System role. */
export const isKnownElsewhere = async (
  db: Tx,
  userId: number,
  companyId: number,
): Promise<boolean> =>
  (
    await sql<{ elsewhere: boolean }>`select p.is_staff
        or exists (select from organization_admin a where a.user_id = p.id)
        or exists (select from membership m
          where m.user_id = p.id and m.company_id <> ${companyId}) elsewhere
      from person p where p.id = ${userId}`.execute(db)
  ).rows[0]?.elsewhere ?? false;

/**
 * Whether a person is staff, or owns, administers or is a member of what is outside of this
 * organization. System role.
 */
export const isKnownOutside = async (
  db: Tx,
  userId: number,
  organizationId: number,
): Promise<boolean> =>
  (
    await sql<{ outside: boolean }>`select p.is_staff
        or exists (select from organization o
          where o.owner_id = p.id and o.id <> ${organizationId})
        or exists (select from organization_admin a
          where a.user_id = p.id and a.organization_id <> ${organizationId})
        or exists (select from membership m join company c on c.id = m.company_id
          where m.user_id = p.id and c.organization_id is distinct from ${organizationId}::bigint) outside
      from person p where p.id = ${userId}`.execute(db)
  ).rows[0]?.outside ?? false;

export interface TransferRow {
  from_user_id: number;
  to_user_id: number;
  created_at: Date;
  expires_at: Date;
  /** When the owner agreed: at the start, if they started it. Null: not yet. */
  agreed_at: Date | null;
  started_by: number | null;
}
const transferColumns = [
  'from_user_id',
  'to_user_id',
  'created_at',
  'expires_at',
  'agreed_at',
  'started_by',
] as const;
/** The transfer that waits in a company, locked. Undefined: none, or it has expired. */
export const lockTransfer = (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<TransferRow | undefined> =>
  tx
    .selectFrom('ownership_transfer')
    .select(transferColumns)
    .where('company_id', '=', companyId)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
/** The transfer that waits in a company. Undefined: none, or it has expired. */
export const waitingTransfer = (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<TransferRow | undefined> =>
  tx
    .selectFrom('ownership_transfer')
    .select(transferColumns)
    .where('company_id', '=', companyId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
/** Stores a transfer in place of an expired one. False: another one waits. */
export const insertTransfer = async (
  tx: Tx,
  companyId: number,
  row: TransferRow,
): Promise<boolean> =>
  (
    await tx
      .insertInto('ownership_transfer')
      .values({ company_id: companyId, ...row })
      .onConflict((c) =>
        c
          .column('company_id')
          .doUpdateSet(row)
          .where('ownership_transfer.expires_at', '<=', row.created_at),
      )
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;
/** Notes that the owner agrees to the transfer. */
export const agreeToTransfer = (tx: Tx, companyId: number, at: Date) =>
  tx
    .updateTable('ownership_transfer')
    .set({ agreed_at: at })
    .where('company_id', '=', companyId)
    .execute();
/** Deletes the company's transfer, or only one with this person. True: there was one. */
export async function deleteTransfer(
  tx: Tx,
  companyId: number,
  personId?: number,
): Promise<boolean> {
  let query = tx.deleteFrom('ownership_transfer').where('company_id', '=', companyId);
  if (personId !== undefined)
    query = query.where((e) =>
      e.or([e('from_user_id', '=', personId), e('to_user_id', '=', personId)]),
    );
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
