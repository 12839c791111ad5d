import { sql } from 'kysely';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Category } from './rules.ts';

/**
 * A user's reservation of a number. Reservations and the directory span companies: only the system
 * role reads and writes them.
 */
export interface Reservation {
  id: number;
  number: string;
  expires_at: Date;
  category: Category;
  found: AvailableNumber;
}

/**
 * Which of these can't be offered to `owner`: a company has them, or another user reserved them.
 */
export async function unavailableNumbers(
  db: Tx,
  numbers: readonly string[],
  owner: { companyId: number; userId: number; now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{
    number: string;
  }>`select number from number_directory where number = any (${[...numbers]}::text[])
    union select number from number_reservation
      where number = any (${[...numbers]}::text[]) and expires_at > ${owner.now}
      and (company_id <> ${owner.companyId} or user_id <> ${owner.userId})`.execute(db);
  return new Set(rows.map((row) => row.number));
}

/** Reserves numbers; those that another user reserved meanwhile are missing from the result. */
export async function reserveNumbers(
  db: Tx,
  found: readonly AvailableNumber[],
  owner: { companyId: number; userId: number; category: Category; until: Date; now: Date },
): Promise<Reservation[]> {
  if (!found.length) return [];
  // Sorted, so that two searches for the same numbers can't deadlock.
  const sorted = [...found].sort((a, b) => (a.number < b.number ? -1 : 1));
  const { rows } =
    await sql<Reservation>`insert into number_reservation as h (number, company_id, user_id,
        expires_at, category, found)
    select f->>'number', ${owner.companyId}, ${owner.userId}, ${owner.until}, ${owner.category}, f
      from json_array_elements(${JSON.stringify(sorted)}::json) f
    on conflict (number) do update set company_id = excluded.company_id, user_id = excluded.user_id,
      expires_at = excluded.expires_at, category = excluded.category, found = excluded.found
      where h.expires_at <= ${owner.now}
        or (h.company_id = excluded.company_id and h.user_id = excluded.user_id)
    returning h.id, h.number, h.expires_at, h.category, h.found`.execute(db);
  return rows;
}

/** Ends a user's oldest reservations beyond `maxCount`. */
export const trimReservations = (
  db: Tx,
  owner: { companyId: number; userId: number },
  maxCount: number,
) =>
  sql`delete from number_reservation where number in (select number
      from number_reservation where company_id = ${owner.companyId} and user_id = ${owner.userId}
      order by expires_at desc, id desc offset ${maxCount})`.execute(db);

/** Ends a user's reservations of these numbers. */
export const deleteReservations = (
  db: Tx,
  owner: { companyId: number; userId: number },
  numbers: readonly string[],
) =>
  sql`delete from number_reservation where company_id = ${owner.companyId}
    and user_id = ${owner.userId} and number = any (${[...numbers]}::text[])`.execute(db);

/** A user's reservations with these IDs or numbers that haven't expired. */
export async function reservationsOf(
  db: Tx,
  owner: { companyId: number; userId: number; now: Date },
  filter: { ids: readonly number[]; numbers: readonly string[] },
): Promise<Reservation[]> {
  return (
    await sql<Reservation>`select id, number, expires_at, category, found
      from number_reservation where company_id = ${owner.companyId}
      and user_id = ${owner.userId} and expires_at > ${owner.now}
    and (id = any (${[...filter.ids]}::bigint[])
        or number = any (${[...filter.numbers]}::text[]))`.execute(db)
  ).rows;
}
/** Which company has each number, by number. Missing: none. */
export const directoryEntries = async (db: Tx, numbers: readonly string[]) =>
  new Map(
    (
      await sql<{
        number: string;
        company_id: number;
        number_id: number;
      }>`${prepared}select number, company_id, number_id
        from number_directory where number = any(${[...new Set(numbers)]}::text[])`.execute(db)
    ).rows.map((entry) => [entry.number, entry]),
  );
/** Which company has a number. Undefined: none. */
export const directoryEntry = (db: Tx, number: string) =>
  db.selectFrom('number_directory').selectAll().where('number', '=', number).executeTakeFirst();
