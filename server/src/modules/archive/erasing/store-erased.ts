import { sql } from 'kysely';
import type { KeyRing } from '../../../platform/secrets.ts';
import { sign } from '../../../platform/secrets.ts';
import type { Tx } from '../../../platform/db.ts';

/** Only this installation can tell which number a hash is of. */
const hashOf = (secret: Buffer, companyId: number, number: string): string =>
  sign(secret, `erased:${companyId}:${number}`);

/** Remembers that these numbers were erased, so that an older archive doesn't bring them back. */
export async function rememberErased(
  tx: Tx,
  secret: Buffer,
  { companyId, numbers, at }: { companyId: number; numbers: readonly string[]; at: Date },
): Promise<void> {
  const hashes = numbers.map((number) => hashOf(secret, companyId, number));
  await sql`insert into erased_number (company_id, hash, erased_at)
    select ${companyId}, h, ${at} from unnest(${hashes}::text[]) h
    on conflict (company_id, hash) do update set erased_at = excluded.erased_at`.execute(tx);
}

/**
 * Numbers of callers in the company's rows that were erased here since a time; none: nobody was. Who
 * was erased before it and called again is not among them.
 */
export async function erasedNumbersIn(
  tx: Tx,
  secrets: KeyRing,
  companyId: number,
  since: Date,
): Promise<string[]> {
  const { rows: known } = await sql<{ hash: string }>`select hash from erased_number
    where company_id = ${companyId} and erased_at >= ${since}`.execute(tx);
  if (!known.length) return [];
  const hashes = new Set(known.map(({ hash }) => hash));
  const { rows } = await sql<{ number: string }>`
    select number from contact where company_id = ${companyId}
    union select number from contact_number where company_id = ${companyId}
    union select party from conversation where company_id = ${companyId}
    union select party from call where company_id = ${companyId}
    union select party from fax where company_id = ${companyId}`.execute(tx);
  return rows
    .map(({ number }) => number)
    .filter(
      (number) =>
        number !== null && secrets.some((secret) => hashes.has(hashOf(secret, companyId, number))),
    );
}

/** Contacts with this number, deleted ones included. */
export const contactsOfNumber = async (
  tx: Tx,
  companyId: number,
  number: string,
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from contact
        where company_id = ${companyId} and number = ${number}
      union select contact_id from contact_number
        where company_id = ${companyId} and number = ${number}`.execute(tx)
  ).rows.map(({ id }) => id);
