import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** The numbers of each active user (empty: every number), locked until the transaction ends. */
export const lockMemberNumbers = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('membership')
    .select(['user_id', 'number_ids'])
    .where('company_id', '=', companyId)
    .where('role', '<>', 'deactivated')
    .orderBy('user_id')
    .forUpdate()
    .execute() as Promise<{ user_id: number; number_ids: number[] }[]>;
/** The companies in which a person is active, and their role there. */
export const placesOf = (tx: Tx, userId: number) =>
  tx
    .selectFrom('membership')
    .select(['company_id', 'role'])
    .where('user_id', '=', userId)
    .where('role', '<>', 'deactivated')
    .execute();
/** Limits a member to these numbers; an empty list means all. */
export const setMemberNumbers = (
  tx: Tx,
  companyId: number,
  userId: number,
  numberIds: readonly number[],
) =>
  sql`update membership set number_ids = ${[...numberIds]}::bigint[]
    where company_id = ${companyId} and user_id = ${userId}`.execute(tx);

/**
 * Those of the addresses whose users haven't muted this event for this number. Addresses without a
 * user stay.
 */
export const filterUnmuted = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  event: string,
  addresses: readonly string[],
): Promise<string[]> =>
  (
    await sql<{
      addresses: string[];
    }>`select unmuted_addresses(${companyId}, ${numberId}, ${event},
        ${[...addresses]}::text[]) addresses`.execute(tx)
  ).rows[0]?.addresses ?? [];
