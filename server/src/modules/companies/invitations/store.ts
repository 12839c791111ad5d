import { sql, type Selectable } from 'kysely';
import { invitations as contract } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { foldedPattern } from '../../../platform/folded.ts';

export type InvitationRow = Selectable<Tables['invitation']>;

/** Lock until the transaction ends: invitations to one address are made one by one. */
export const lockInvitationsTo = (tx: Tx, companyId: number, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`invitation:${companyId}:${email.toLowerCase()}`}, 12))`.execute(
    tx,
  );

const statusIs = (status: contract.InvitationStatus, now: Date) =>
  ({
    accepted: sql`i.accepted_at is not null`,
    revoked: sql`i.accepted_at is null and i.revoked_at is not null`,
    expired: sql`i.accepted_at is null and i.revoked_at is null and i.expires_at <= ${now}`,
    pending: sql`i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}`,
  })[status];

/** A page of invitations of these companies (null: all), newest first. Needs the system role. */
export async function listInvitationRows(
  db: Tx,
  filter: {
    companyIds: readonly number[] | null;
    organizationId?: number | undefined;
    isForOrganization?: boolean | undefined;
    status?: contract.InvitationStatus | undefined;
    search?: string | undefined;
    now: Date;
    limit: number;
    offset: number;
  },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const { companyIds, organizationId, isForOrganization, status, search } = filter;
  const like = search ? foldedPattern(search) : null;
  const where = sql`where true
    ${companyIds ? sql`and i.company_id = any(${[...companyIds]}::bigint[])` : sql``}
    ${
      organizationId
        ? sql`and exists (select from company c where c.id = i.company_id
            and c.organization_id = ${organizationId})`
        : sql``
    }
    ${
      isForOrganization === undefined
        ? sql``
        : sql`and (i.organization_id is not null) = ${isForOrganization}`
    }
    ${status ? sql`and ${statusIs(status, filter.now)}` : sql``}
    ${
      like
        ? sql`and (folded(i.email) like ${like}
          or folded(i.first_name || ' ' || i.last_name) like ${like})`
        : sql``
    }`;
  const { rows } = await sql<InvitationRow>`select i.* from invitation i ${where}
    order by i.id desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const total = await sql<{ n: number }>`select count(*)::int n from invitation i ${where}`.execute(
    db,
  );
  return { rows, total: total.rows[0]?.n ?? 0 };
}

/** An invitation of the company. Undefined: none of this ID. */
export const invitationById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('invitation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The invitation of a link. Needs the system role: the link names no company. */
export const invitationByToken = (db: Tx, tokenHash: string) =>
  db.selectFrom('invitation').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();

/** Names of people by ID; without a name, their address. Needs the system role. */
export const peopleNames = async (db: Tx, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await sql<{ id: number; name: string }>`select id,
          coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) name
        from person where id = any(${[...ids]}::bigint[])`.execute(db)
    ).rows.map((row) => [row.id, row.name]),
  );

/** The invitation of a link, locked until the transaction ends. */
export const lockInvitationByToken = (tx: Tx, tokenHash: string) =>
  tx
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();

/** An invitation of the company, locked until the transaction ends. */
export const lockInvitation = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('invitation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The newest invitation to an address that can still be accepted. */
export const pendingInvitationTo = (tx: Tx, companyId: number, email: string, now: Date) =>
  tx
    .selectFrom('invitation')
    .select('id')
    .where('company_id', '=', companyId)
    .where('email_key', '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Stores an invitation and returns its ID. */
export const insertInvitation = async (
  tx: Tx,
  {
    company_ids,
    number_ids,
    field_values,
    ...row
  }: Pick<
    InvitationRow,
    | 'company_id'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'role'
    | 'company_ids'
    | 'number_ids'
    | 'organization_id'
    | 'is_org_administrator'
    | 'field_values'
    | 'message'
    | 'token_hash'
    | 'invited_by'
    | 'sent_at'
    | 'expires_at'
  >,
): Promise<number> =>
  (
    await tx
      .insertInto('invitation')
      .values({
        ...row,
        company_ids: sql`${company_ids}::bigint[]`,
        number_ids: sql`${number_ids}::bigint[]`,
        field_values: JSON.stringify(field_values),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** Gives an invitation a new link and a new end; `resentAt`: when it was resent lately. */
export const renewInvitation = (
  tx: Tx,
  companyId: number,
  id: number,
  next: { tokenHash: string; at: Date; expiresAt: Date; resentAt: readonly Date[] },
) =>
  tx
    .updateTable('invitation')
    .set((e) => ({
      token_hash: next.tokenHash,
      sent_at: next.at,
      expires_at: next.expiresAt,
      resent_count: e('resent_count', '+', 1),
      resent_at: sql`${next.resentAt.map((at) => at.toISOString())}::timestamptz[]`,
    }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Notes that an invitation was accepted or withdrawn. */
export const closeInvitation = (
  tx: Tx,
  companyId: number,
  id: number,
  end: { accepted_at: Date; accepted_by: number } | { revoked_at: Date },
) =>
  tx
    .updateTable('invitation')
    .set(end)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Roles of the person with this address in these companies. Needs the system role. */
export const rolesByEmail = async (db: Tx, email: string, companyIds: readonly number[]) =>
  (
    await sql<{ company_id: number; role: string }>`select m.company_id, m.role
      from membership m join person p on p.id = m.user_id
      where p.email_key = ${email.toLowerCase()}
        and m.company_id = any(${[...companyIds]}::bigint[])`.execute(db)
  ).rows;

/** Makes a person a member, unless they are one already. Whether they were not. */
export const addMember = async (
  tx: Tx,
  m: { company_id: number; user_id: number; role: string; number_ids: readonly number[] },
): Promise<boolean> =>
  (
    await tx
      .insertInto('membership')
      .values({ ...m, number_ids: sql`${[...m.number_ids]}::bigint[]` })
      .onConflict((c) => c.doNothing())
      .returning('user_id')
      .execute()
  ).length > 0;
