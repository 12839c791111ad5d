import { sql, type Selectable } from 'kysely';
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

/** A person's links to providers of organizations, with the organizations' names; first linked first. */
export const ownIdentitiesOf = (db: Tx, personId: number) =>
  db
    .selectFrom('sso_identity as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(['i.organization_id', 'i.email', 'i.created_at', 'i.last_used_at', 'o.name'])
    .where('i.person_id', '=', personId)
    .orderBy('i.created_at')
    .limit(100)
    .execute();

/** Unlinks an organization's provider. False: it isn't linked. */
export const deleteOwnIdentity = async (
  tx: Tx,
  personId: number,
  organizationId: number,
): Promise<boolean> =>
  (
    await tx
      .deleteFrom('sso_identity')
      .where('person_id', '=', personId)
      .where('organization_id', '=', organizationId)
      .returning('person_id')
      .execute()
  ).length > 0;

/** The organizations whose providers a person has linked and can come in through now. */
export const organizationsLettingIn = async (db: Tx, personId: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`select i.organization_id id
      from sso_identity i join person p on p.id = i.person_id
        join sso_connection c on c.organization_id = i.organization_id and c.issuer = i.issuer
        join sso_domain d on d.organization_id = i.organization_id and d.proven_at is not null
          and d.domain = lower(substring(p.email from '[^@]*$'))
      where i.person_id = ${personId}`.execute(db)
  ).rows.map((row) => row.id);

/** The organization through whose provider alone a person signs in, and who they are there. */
export interface SsoRule {
  organization_id: number;
  organization: string;
  /** Of the organization, or of one of its companies. */
  is_owner: boolean;
  is_inside: boolean;
  /** Their account also opens what isn't the organization's. */
  is_elsewhere: boolean;
}
/** Undefined: no organization asks for it. */
export const ssoRuleOf = async (db: Tx, personId: number): Promise<SsoRule | undefined> =>
  (await sql<SsoRule>`select * from sso_rule(${personId})`.execute(db)).rows[0];

/** The organization through whose provider alone an address signs in. Undefined: none. */
export const ssoRequiredBy = async (db: Tx, email: string): Promise<number | undefined> =>
  (await sql<{ id: number }>`select id from sso_required_by(${email})`.execute(db)).rows[0]?.id;
