import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

interface KeyRow {
  id: number;
  person_id: number;
  first_name: string;
  last_name: string;
  email: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_used_ip: string | null;
}

/** The API keys of a company, newest first; with `personId`, one person's; with `id`, one. */
export async function keysOf(
  db: Tx,
  companyId: number,
  filter: { personId?: number; id?: number } = {},
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.person_id, p.first_name, p.last_name, p.email, k.name, k.prefix, k.scopes,
      k.created_at, k.expires_at, k.last_used_at, k.last_used_ip
    from personal_access_token k join person p on p.id = k.person_id
    where k.company_id = ${companyId}
      ${filter.personId ? sql`and k.person_id = ${filter.personId}` : sql``}
      ${filter.id ? sql`and k.id = ${filter.id}` : sql``}
    order by k.created_at desc, k.id desc limit 1000`.execute(db);
  return rows;
}

/** How many API keys a person has in a company, expired ones included; locked until the end. */
export async function countKeysLocked(tx: Tx, companyId: number, personId: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended(
    ${`api-keys:${companyId}:${personId}`}, 11))`.execute(tx);
  const row = await tx
    .selectFrom('personal_access_token')
    .select((e) => e.fn.countAll().as('n'))
    .where('company_id', '=', companyId)
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Stores an API key by its hash and returns its ID. */
export const insertKey = async (
  tx: Tx,
  key: {
    company_id: number;
    person_id: number;
    name: string;
    prefix: string;
    hash: string;
    scopes: string[];
    created_at: Date;
    expires_at: Date | null;
  },
): Promise<number> =>
  (
    await tx
      .insertInto('personal_access_token')
      .values(key)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** Deletes an API key; undefined: none of this ID, or not this person's. */
export const deleteKey = (
  tx: Tx,
  companyId: number,
  id: number,
  personId: number | null,
): Promise<{ person_id: number; name: string; prefix: string } | undefined> => {
  let query = tx
    .deleteFrom('personal_access_token')
    .where('company_id', '=', companyId)
    .where('id', '=', id);
  if (personId !== null) query = query.where('person_id', '=', personId);
  return query.returning(['person_id', 'name', 'prefix']).executeTakeFirst();
};

/** Deletes all API keys of a company that is being deleted. */
export const deleteKeysOfCompany = (tx: Tx, companyId: number) =>
  tx.deleteFrom('personal_access_token').where('company_id', '=', companyId).execute();
