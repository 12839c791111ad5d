import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type InvitationRow = Selectable<Tables['caddy_invitation']>;

/** A page of an account's invitations, newest first, and how many there are. */
export async function invitationPage(
  tx: Tx,
  companyId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const own = tx.selectFrom('caddy_invitation').where('company_id', '=', companyId);
  const rows = await own
    .selectAll()
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { n } = await own.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return { rows, total: Number(n) };
}

/** When an account invited, since a time, each with the phone. */
export const invitedSince = (tx: Tx, companyId: number, since: Date) =>
  tx
    .selectFrom('caddy_invitation')
    .select(['phone', 'sent_at'])
    .where('company_id', '=', companyId)
    .where('sent_at', '>', since)
    .execute();

/** Stores an invitation. */
export const insertInvitation = (
  tx: Tx,
  row: { company_id: number; phone: string; code: string; sent_at: Date },
): Promise<InvitationRow> =>
  tx.insertInto('caddy_invitation').values(row).returningAll().executeTakeFirstOrThrow();

/** Marks an invitation as taken by a new account. False: no such one, too old, or taken before. */
export async function markJoined(
  tx: Tx,
  taken: { companyId: number; code: string; since: Date; accountId: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('caddy_invitation')
    .set({ joined_at: taken.at, joined_account_id: taken.accountId })
    .where('company_id', '=', taken.companyId)
    .where('code', '=', taken.code)
    .where('joined_at', 'is', null)
    .where('sent_at', '>', taken.since)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Rewards who invited this account, once and up to `most` times; returns them. Undefined: no one. */
export async function markRewarded(
  tx: Tx,
  accountId: number,
  most: number,
  at: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ company_id: number }>`update caddy_invitation i
    set rewarded_at = ${at} where i.joined_account_id = ${accountId} and i.rewarded_at is null
      and (select count(*) from caddy_invitation r where r.company_id = i.company_id
        and r.rewarded_at is not null) < ${most}
    returning i.company_id`.execute(tx);
  return rows[0]?.company_id;
}
