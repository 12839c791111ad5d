/** Accounts and contacts that an operator erases, whichever module has their rows. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { addressLists, ERASED_NAME, namesBesideIds, ownRows } from './traces.ts';

// The system role: an account belongs to no company, and erasing it goes through all tables.

export interface AccountToErase {
  id: number;
  email: string;
  /** As it was written where they answered calls. */
  name: string;
  isStaff: boolean;
  /** An account of the consumer app. */
  isIndividual: boolean;
  heldBecause: string | null;
  /** Its person deleted it, so it can't be used; what is theirs is still here. */
  isErasing: boolean;
  companies: { id: number; name: string; role: string }[];
  /** Organizations that have no other administrator, or belong to them. */
  organizations: string[];
  /** Organizations whose directory has them, or through whose provider alone they sign in. */
  managedBy: string[];
}

/** An account is named by its email address or its ID. */
type Whose = { email: string } | { id: number };

/** The account, locked. Undefined: none. */
export const accountToErase = async (tx: Tx, whose: Whose): Promise<AccountToErase | undefined> =>
  (
    await sql<AccountToErase>`select p.id, p.email,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name,
        p.is_staff as "isStaff",
        p.is_individual as "isIndividual", p.held_because as "heldBecause",
        p.erasing_at is not null as "isErasing",
        coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'role', m.role)
            order by c.id) from membership m join company c on c.id = m.company_id
          where m.user_id = p.id), '[]') as companies,
        array(select o.name from organization o where o.owner_id = p.id
          or exists (select from organization_admin a
              where a.organization_id = o.id and a.user_id = p.id)
            and not exists (select from organization_admin a
              where a.organization_id = o.id and a.user_id <> p.id)) as organizations,
        array(select o.name from scim_user s join organization o on o.id = s.organization_id
            where s.person_id = p.id and s.active
          union select r.organization from sso_rule(p.id) r where r.is_inside) as "managedBy"
      from person p where ${'id' in whose ? sql`p.id = ${whose.id}` : sql`p.email_key = lower(${whose.email.trim()})`}
      for update of p`.execute(tx)
  ).rows[0];

/** Holds an account, or no longer. False: there is none with this address. */
export const setHeld = async (tx: Tx, email: string, because: string | null): Promise<boolean> =>
  (
    await sql`update person set held_because = ${because}
      where email_key = lower(${email.trim()})`.execute(tx)
  ).numAffectedRows === 1n;

/** Ends an account that its person deleted; a job erases what is theirs. */
export const markErasing = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('person').set({ erasing_at: at, disabled_at: at }).where('id', '=', id).execute();

/** Tables whose rows go with the person, by their foreign keys. */
const dependentTables = async (tx: Tx): Promise<{ table: string; column: string }[]> =>
  (
    await sql<{ table: string; column: string }>`select r.relname as "table", a.attname as "column"
      from pg_constraint c join pg_class r on r.oid = c.conrelid
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'public.person'::regclass and c.confdeltype = 'c'
        and c.conparentid = 0 and cardinality(c.conkey) = 1 order by 1, 2`.execute(tx)
  ).rows;

/**
 * Deletes what is only this person's, replaces their name and address elsewhere, and leaves an
 * account without a name that can't sign in, for what refers to its ID.
 */
export async function eraseAccountRows(tx: Tx, account: Erased, now: Date): Promise<void> {
  const { id, email } = account;
  await eraseNames(tx, account);
  await eraseAddress(tx, account, null);
  await sql`delete from organization_admin where user_id = ${id}`.execute(tx);
  await sql`delete from mail_outbox where lower(to_address) = lower(${email})`.execute(tx);
  await sql`delete from sent_code where email_key = lower(${email})`.execute(tx);
  await sql`delete from login_attempt where email_key = lower(${email})`.execute(tx);
  await sql`update person set email = ${erasedEmail(id)}, first_name = 'Erased', last_name = 'user',
      password_hash = null, timezone = null, pending_email = null, mfa_enabled_at = null,
      sip_address = null, sip_user = null, sip_password_secret = null, disabled_at = ${now},
      erasing_at = null
    where id = ${id}`.execute(tx);
}

/**
 * The same for what came back with an archive of one company. The address can be another account's by
 * now, which is left.
 */
export async function eraseAccountRowsIn(
  tx: Tx,
  companyId: number,
  account: Erased,
): Promise<void> {
  await eraseNames(tx, account);
  await eraseAddress(tx, account, companyId);
}

type Erased = Pick<AccountToErase, 'id' | 'email' | 'name'>;

async function eraseNames(tx: Tx, account: Erased): Promise<void> {
  const { id } = account;
  const own = [
    ...ownRows.map(([table, column]) => ({ table, column })),
    ...(await dependentTables(tx)),
  ];
  for (const { table, column } of own)
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(tx);
  for (const [table, name, by] of namesBesideIds)
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${ERASED_NAME}
      where ${sql.ref(by)} = ${id}`.execute(tx);
  await sql`update conversation set assigned_name = ${ERASED_NAME}
    where assigned_to = ${id}`.execute(tx);
  await renameInCalls(tx, account);
}

/** Takes an address from the lists and invitations of a company; null: of all. */
async function eraseAddress(
  tx: Tx,
  { id, email }: Pick<AccountToErase, 'id' | 'email'>,
  companyId: number | null,
): Promise<void> {
  for (const [table, column] of addressLists)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} =
        array(select one from unnest(${sql.ref(column)}) one where lower(one) <> lower(${email}))
      where (${companyId}::bigint is null or company_id = ${companyId})
        and lower(${email}) = any(select lower(one) from unnest(${sql.ref(column)}) one)`.execute(
      tx,
    );
  await sql`update invitation set email = ${erasedEmail(id)}, first_name = '', last_name = ''
    where (${companyId}::bigint is null or company_id = ${companyId})
      and (accepted_by = ${id} or email_key = lower(${email}))`.execute(tx);
}

/** Replaces the name in calls that they answered or were rung by, and in the inbox's copy of them. */
async function renameInCalls(tx: Tx, { id, name }: Erased): Promise<void> {
  await sql`update call set answered_by = jsonb_set(answered_by, '{label}',
      to_jsonb(${ERASED_NAME}::text)) where answered_user_id = ${id}`.execute(tx);
  await sql`update call_history h set target = ${ERASED_NAME}
    from (select company_id, call_id from call_leg where user_id = ${id}
      union select company_id, id from call where answered_user_id = ${id}) theirs
    where h.company_id = theirs.company_id and h.call_id = theirs.call_id
      and h.target = ${name}`.execute(tx);
  for (const [table, column] of [
    ['conversation_item', 'details'],
    ['conversation', 'latest_details'],
  ] as const)
    await sql`update ${sql.table(table)} t set ${sql.ref(column)} = jsonb_set(
        ${sql.ref(column)}, '{answeredBy}', to_jsonb(${ERASED_NAME}::text))
      from call c where c.answered_user_id = ${id} and t.company_id = c.company_id
        and t.${sql.ref(column)} ->> 'answeredBy' = ${name}
        and (t.${sql.ref(column)} ->> 'callId')::bigint = c.id`.execute(tx);
}

/** An address that no one has: the domain is reserved (RFC 2606). */
const erasedEmail = (id: number): string => `erased-${id}@account.invalid`;

/** Contacts with this number in all companies, or in one. */
export const contactsWithNumber = async (
  tx: Tx,
  number: string,
  companyId: number | null,
): Promise<{ companyId: number; company: string; contactId: number }[]> =>
  (
    await sql<{ companyId: number; company: string; contactId: number }>`
      select distinct c.id as "companyId", c.name as company, t.id as "contactId"
      from contact t join company c on c.id = t.company_id
      where t.deleted_at is null and (${companyId}::bigint is null or c.id = ${companyId})
        and (t.number = ${number} or exists (select from contact_number n
          where n.company_id = t.company_id and n.contact_id = t.id and n.number = ${number}))
      order by c.id`.execute(tx)
  ).rows;
