import type { Insertable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

type NewRecord = Insertable<Tables['oauth_record']>;

/** Stores a record of the provider, or replaces it. */
export const saveRecord = (db: Tx, row: NewRecord) =>
  db
    .insertInto('oauth_record')
    .values(row)
    .onConflict((c) =>
      c.columns(['kind', 'id_hash']).doUpdateSet({
        grant_hash: row.grant_hash ?? null,
        uid_hash: row.uid_hash ?? null,
        scopes: row.scopes ?? [],
        payload_sealed: row.payload_sealed,
        expires_at: row.expires_at ?? null,
      }),
    )
    .execute();
/** A record by its id's hash, or its uid's. Undefined: none, or it expired. */
export const findRecord = (
  db: Tx,
  kind: string,
  by: { id_hash: string } | { uid_hash: string },
  now: Date,
) =>
  db
    .selectFrom('oauth_record')
    .selectAll()
    .where('kind', '=', kind)
    .where((e) => e.and(by))
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .executeTakeFirst();
/** Notes that a code or refresh token was used; false: it was used before. */
export const consumeRecord = async (db: Tx, kind: string, idHash: string, at: Date) =>
  (
    await db
      .updateTable('oauth_record')
      .set({ consumed_at: at })
      .where('kind', '=', kind)
      .where('id_hash', '=', idHash)
      .where('consumed_at', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;
/** Deletes one record. */
export const deleteRecord = (db: Tx, kind: string, idHash: string) =>
  db.deleteFrom('oauth_record').where('kind', '=', kind).where('id_hash', '=', idHash).execute();

/** Ends a grant: the authorization, and its codes and tokens of every kind. */
export async function revokeGrant(tx: Tx, grantHash: string, at: Date): Promise<void> {
  await tx
    .updateTable('oauth_authorization')
    .set({ revoked_at: at })
    .where('grant_hash', '=', grantHash)
    .where('revoked_at', 'is', null)
    .execute();
  await tx.deleteFrom('oauth_record').where('grant_hash', '=', grantHash).execute();
}

export const insertAuthorization = async (
  tx: Tx,
  row: Insertable<Tables['oauth_authorization']>,
): Promise<number> =>
  (await tx.insertInto('oauth_authorization').values(row).returning('id').executeTakeFirstOrThrow())
    .id;
/** What a person authorized and has not revoked, newest first; at most 200. */
export const liveAuthorizations = (db: Tx, personId: number, now: Date) =>
  db
    .selectFrom('oauth_authorization')
    .selectAll()
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
/** What people of a company authorized and nobody has revoked, newest first; at most 500. */
export const authorizationsOfCompany = async (db: Tx, companyId: number, now: Date, id?: number) =>
  db
    .selectFrom('oauth_authorization as a')
    .innerJoin('person as p', 'p.id', 'a.person_id')
    .leftJoin('oauth_client as k', 'k.client_id', 'a.client_id')
    .selectAll('a')
    .select(['p.email', 'p.first_name', 'p.last_name'])
    .select((e) =>
      e.fn
        .coalesce(
          e.or([e('k.is_shared', '=', true), e('k.company_id', '=', companyId)]),
          e.val(false),
        )
        .as('approved'),
    )
    .where('a.company_id', '=', companyId)
    .where('a.revoked_at', 'is', null)
    .where('a.expires_at', '>', now)
    .$if(id !== undefined, (q) => q.where('a.id', '=', id ?? 0))
    .orderBy('a.id', 'desc')
    .limit(500)
    .execute();
/** A person's live authorization, locked. Undefined: none of theirs has this ID. */
export const lockAuthorization = (tx: Tx, personId: number, id: number) =>
  tx
    .selectFrom('oauth_authorization')
    .selectAll()
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
/** The live authorizations of a program. */
export const authorizationsOfClient = (tx: Tx, clientId: string) =>
  tx
    .selectFrom('oauth_authorization')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute();

/** A registered program. Undefined: none has this client ID. */
export const clientByClientId = (db: Tx, clientId: string) =>
  db.selectFrom('oauth_client').selectAll().where('client_id', '=', clientId).executeTakeFirst();
/** The programs a company registered, newest first. */
export const clientsOfCompany = (db: Tx, companyId: number) =>
  db
    .selectFrom('oauth_client')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id', 'desc')
    .execute();
export const insertClient = (tx: Tx, row: Insertable<Tables['oauth_client']>) =>
  tx.insertInto('oauth_client').values(row).returningAll().executeTakeFirstOrThrow();
/** Deletes a company's program. Undefined: none of its programs has this ID. */
export const deleteClient = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('oauth_client')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** The sealed signing key; `candidate` becomes it if there is none yet. */
export async function signingKey(tx: Tx, candidate?: string): Promise<string | undefined> {
  if (candidate)
    await tx
      .insertInto('oauth_signing_key')
      .values({ jwk_sealed: candidate })
      .onConflict((c) => c.column('id').doNothing())
      .execute();
  const row = await tx.selectFrom('oauth_signing_key').select('jwk_sealed').executeTakeFirst();
  return row?.jwk_sealed;
}
