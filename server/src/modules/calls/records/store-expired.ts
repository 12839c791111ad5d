/** Calls that are older than their company keeps them. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Ended calls that began before this moment, the oldest first, locked; none under legal hold. */
export const callsBefore = async (
  tx: Tx,
  companyId: number,
  before: Date,
  limit: number,
): Promise<number[]> =>
  (
    await tx
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', companyId)
      .where('started_at', '<', before)
      .where('ended_at', 'is not', null)
      .where(
        sql<boolean>`not exists (select from legal_hold h
          where h.company_id = call.company_id and h.number = call.party)`,
      )
      .orderBy('started_at')
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
  ).map((row) => row.id);

/** Ended calls with these parties, locked. */
export const callsOfParties = async (
  tx: Tx,
  companyId: number,
  parties: readonly string[],
  limit: number,
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from call where company_id = ${companyId}
      and party = any(${[...parties]}::text[]) and ended_at is not null
      order by id limit ${limit} for update`.execute(tx)
  ).rows.map((row) => row.id);

/** The files of these calls' recordings that are still there. */
export const filesOfCalls = async (tx: Tx, companyId: number, callIds: readonly number[]) =>
  (
    await sql<{ id: number; key: string }>`select f.id, f.key from recording r
      join file f on f.company_id = r.company_id and f.id = r.file_id and f.deleted_at is null
      where r.company_id = ${companyId} and r.call_id = any(${[...callIds]}::bigint[])
      order by f.id`.execute(tx)
  ).rows;

/** Deletes calls with everything that hangs on them: history, legs, recordings, transcripts, tags. */
export const deleteCallRows = (tx: Tx, companyId: number, callIds: readonly number[]) =>
  tx
    .deleteFrom('call')
    .where('company_id', '=', companyId)
    .where('id', 'in', [...callIds])
    .execute();
