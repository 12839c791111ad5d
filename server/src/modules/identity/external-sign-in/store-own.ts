import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

// All of it runs as the system role: who is known at the provider of an organization.

export type OwnIdentityRow = Selectable<Tables['sso_identity']>;
type Subject = Pick<OwnIdentityRow, 'organization_id' | 'issuer' | 'subject'>;

/** Whom a subject of an organization's provider names here. Undefined: no one. */
export const ownIdentityOf = (tx: Tx, i: Subject): Promise<OwnIdentityRow | undefined> =>
  tx
    .selectFrom('sso_identity')
    .selectAll()
    .where('organization_id', '=', i.organization_id)
    .where('issuer', '=', i.issuer)
    .where('subject', '=', i.subject)
    .executeTakeFirst();

/**
 * Links a person to a subject of an organization's provider, in place of one they were before. A
 * confirmation counts for the subject that it was given for.
 * @param confirmedAt when the person signed in as before to link it; null: the proven domain is enough
 */
export const putOwnIdentity = (
  tx: Tx,
  i: Subject & Pick<OwnIdentityRow, 'person_id' | 'email'>,
  { now, confirmedAt }: { now: Date; confirmedAt: Date | null },
): Promise<OwnIdentityRow> =>
  tx
    .insertInto('sso_identity')
    .values({ ...i, created_at: now, confirmed_at: confirmedAt })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'person_id']).doUpdateSet({
        issuer: i.issuer,
        subject: i.subject,
        email: i.email,
        confirmed_at: confirmedAt,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/** Notes a sign-in, and what the person's groups have given them since. */
export const markOwnIdentityUsed = (
  tx: Tx,
  { organization_id, person_id }: Pick<OwnIdentityRow, 'organization_id' | 'person_id'>,
  values: { last_used_at: Date; given: string },
) =>
  tx
    .updateTable('sso_identity')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('person_id', '=', person_id)
    .execute();
