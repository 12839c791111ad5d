import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type IdentityRow = Selectable<Tables['person_identity']>;
type VisitRow = Selectable<Tables['external_sign_in']>;

/** Stores a visit to a provider: one that begins, or one whose person is back. */
export const insertVisit = (tx: Tx, visit: Insertable<Tables['external_sign_in']>) =>
  tx.insertInto('external_sign_in').values(visit).execute();
/** Uses a visit's state up, in the browser that began it. Undefined: unknown, expired or used. */
export const takeVisit = (
  tx: Tx,
  v: { state_hash: string; browser_hash: string; provider: string; now: Date },
): Promise<VisitRow | undefined> =>
  tx
    .deleteFrom('external_sign_in')
    .where('state_hash', '=', v.state_hash)
    .where('browser_hash', '=', v.browser_hash)
    .where('provider', '=', v.provider)
    .where('proven_at', 'is', null)
    .where('expires_at', '>', v.now)
    .returningAll()
    .executeTakeFirst();
/** What a browser may finish with. */
interface ProvenKeys {
  browser_hash: string;
  /** The visit was to link the provider, not to sign in. */
  links: boolean;
  /** The provider is an organization's own, or one of the installation. */
  isOwn: boolean;
  now: Date;
}

/** Uses up what a browser's visit has proven. Undefined: nothing. */
export const takeProven = (tx: Tx, v: ProvenKeys): Promise<VisitRow | undefined> =>
  tx
    .deleteFrom('external_sign_in')
    .where('browser_hash', '=', v.browser_hash)
    .where('links', '=', v.links)
    .where('organization_id', v.isOwn ? 'is not' : 'is', null)
    .where('proven_at', 'is not', null)
    .where('expires_at', '>', v.now)
    .returningAll()
    .executeTakeFirst();

/** What a browser's visit has proven, without using it up. Undefined: nothing. */
export const provenBy = (tx: Tx, v: ProvenKeys) =>
  tx
    .selectFrom('external_sign_in')
    .selectAll()
    .where('browser_hash', '=', v.browser_hash)
    .where('links', '=', v.links)
    .where('organization_id', v.isOwn ? 'is not' : 'is', null)
    .where('proven_at', 'is not', null)
    .where('expires_at', '>', v.now)
    .executeTakeFirst();

/** Whom issuer and subject name here. Undefined: no one. */
export const identityOf = (tx: Tx, issuer: string, subject: string) =>
  tx
    .selectFrom('person_identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
/** A person's providers, first linked first; at most one row of each. */
export const identitiesOf = (tx: Tx, personId: number) =>
  tx
    .selectFrom('person_identity')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .limit(100)
    .execute();
/** Links a provider. Undefined: it is linked already, to this person or another. */
export const insertIdentity = (
  tx: Tx,
  i: Pick<IdentityRow, 'person_id' | 'provider' | 'issuer' | 'subject' | 'email' | 'created_at'>,
) =>
  tx
    .insertInto('person_identity')
    .values(i)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
/** Notes a sign-in. False: it was unlinked meanwhile. */
export const markIdentityUsed = async (
  tx: Tx,
  i: { person_id: number; issuer: string; subject: string },
  at: Date,
): Promise<boolean> =>
  (
    await tx
      .updateTable('person_identity')
      .set({ last_used_at: at })
      .where('person_id', '=', i.person_id)
      .where('issuer', '=', i.issuer)
      .where('subject', '=', i.subject)
      .returning('id')
      .execute()
  ).length > 0;
/** Unlinks a provider. Undefined: it isn't linked. */
export const deleteIdentity = (tx: Tx, personId: number, provider: string) =>
  tx
    .deleteFrom('person_identity')
    .where('person_id', '=', personId)
    .where('provider', '=', provider)
    .returningAll()
    .executeTakeFirst();
