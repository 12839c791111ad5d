import { sql } from 'kysely';
import { type Tx } from '../../platform/db.ts';

/**
 * Deletes contacts, locking them in the order of their IDs; returns those that weren't deleted yet.
 */
export const markDeleted = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  at: Date,
  by: number | null,
): Promise<{ id: number; number: string }[]> =>
  (
    await sql<{
      id: number;
      number: string;
    }>`update contact set deleted_at = ${at}, deleted_by = ${by} where company_id = ${companyId}
      and id in (select id from contact where company_id = ${companyId}
        and id = any(${[...ids]}::bigint[]) and deleted_at is null order by id for update)
      returning id, number`.execute(tx)
  ).rows;
/** Those of these contacts one of whose numbers is under legal hold. */
export const heldContactIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select c.id from contact c join legal_hold h
        on h.company_id = c.company_id and h.number = c.number
      where c.company_id = ${companyId} and c.id = any(${[...ids]}::bigint[])
      union select n.contact_id from contact_number n join legal_hold h
        on h.company_id = n.company_id and h.number = n.number
      where n.company_id = ${companyId} and n.contact_id = any(${[...ids]}::bigint[])`.execute(tx)
  ).rows.map((row) => row.id);
/**
 * Restores deleted contacts; returns those restored: not merged ones, and none whose number has a
 * contact now.
 */
export const markRestored = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<{ id: number; number: string }[]> =>
  (
    await sql<{
      id: number;
      number: string;
    }>`update contact c set deleted_at = null, deleted_by = null
      where c.company_id = ${companyId} and c.id in (
      select distinct on (d.number) d.id from contact d where d.company_id = ${companyId}
        and d.id = any(${[...ids]}::bigint[]) and d.deleted_at is not null
        and not exists (select from contact o
            where o.company_id = d.company_id and o.number = d.number and o.deleted_at is null)
        and not exists (select
            from contact_number n where n.company_id = d.company_id and n.number = d.number)
        and not exists (select from contact_merge m
            where m.company_id = d.company_id and m.source_id = d.id and m.undone_at is null)
      order by d.number, d.id desc) returning c.id, c.number`.execute(tx)
  ).rows;
/**
 * Removes contacts deleted before a time for good, at most `limit` at once, and returns their IDs;
 * none under legal hold.
 */
export const purgeDeleted = async (
  tx: Tx,
  companyId: number,
  before: Date,
  limit: number,
): Promise<number[]> =>
  (
    await sql<{
      id: number;
    }>`delete from contact where company_id = ${companyId} and id in (select id
        from contact c where company_id = ${companyId} and deleted_at < ${before}
          and not exists (select from legal_hold h
            where h.company_id = c.company_id and h.number = c.number)
        limit ${limit})
      returning id`.execute(tx)
  ).rows.map((r) => r.id);
/** The companies that have contacts deleted before a time. */
export const companiesWithTrash = async (tx: Tx, before: Date): Promise<number[]> =>
  (
    await sql<{
      company_id: number;
    }>`select distinct company_id from contact where deleted_at < ${before}`.execute(tx)
  ).rows.map((r) => r.company_id);
