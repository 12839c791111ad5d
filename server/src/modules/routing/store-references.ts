/** What routes refer to: other numbers, forwarding contacts, users, teams. */
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Numbers of the company that forward to this one, directly or over others (loop guard, A7.1). */
export async function numbersLeadingTo(
  tx: Tx,
  companyId: number,
  number: string,
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    with recursive leads (number) as (
      select n.number from forward f
          join route r on r.company_id = f.company_id and r.id = f.route_id
          join number n on n.company_id = r.company_id and n.id = r.number_id
        where f.company_id = ${companyId} and n.status <> 'released'
          and (f.phone = ${number} or f.contact_id in (select c.id from forward_contact c
            where c.company_id = ${companyId} and c.phone = ${number}))
      union
      select n.number from leads l
          join forward f on f.company_id = ${companyId}
            and (f.phone = l.number or f.contact_id in (select c.id from forward_contact c
              where c.company_id = ${companyId} and c.phone = l.number))
          join route r on r.company_id = f.company_id and r.id = f.route_id
          join number n on n.company_id = r.company_id and n.id = r.number_id
        where n.status <> 'released'
    ) select number from leads where number <> ${number}`.execute(tx);
  return rows.map((row) => row.number);
}

/** Numbers whose routes use a forwarding contact. */
export const numbersUsingContact = async (
  tx: Tx,
  companyId: number,
  contactId: number,
): Promise<number[]> =>
  (
    await sql<{
      number_id: number;
    }>`select distinct r.number_id
      from forward f join route r on r.company_id = f.company_id and r.id = f.route_id
      where f.company_id = ${companyId} and f.contact_id = ${contactId} order by 1`.execute(tx)
  ).rows.map((row) => row.number_id);

/** Replaces a forwarding contact by another in all destinations. */
export const replaceContact = (tx: Tx, companyId: number, from: number, to: number) =>
  tx
    .updateTable('forward')
    .set({ contact_id: to })
    .where('company_id', '=', companyId)
    .where('contact_id', '=', from)
    .execute();

/** Which of these numbers the company owns. */
export const ownedNumbers = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    numbers.length === 0
      ? []
      : (
          await tx
            .selectFrom('number')
            .select('number')
            .where('company_id', '=', companyId)
            .where('status', '<>', 'released')
            .where('number', 'in', [...numbers])
            .execute()
        ).map((row) => row.number),
  );

interface CompanyPerson {
  id: number;
  name: string;
  callable: boolean;
  /** Limited to other numbers. */
  excluded: boolean;
}
/**
 * The company's active users. `callable`: set up for calls in the app, and not excluded. Persons are
 * global, so pass a connection outside of row-level security.
 */
export async function peopleOf(
  directory: Tx,
  companyId: number,
  numberId: number | null,
): Promise<CompanyPerson[]> {
  const { rows } = await sql<CompanyPerson>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name,
      p.sip_address is not null and p.sip_user is not null
        and p.sip_password_secret is not null
        and not ${isExcluded(numberId)} callable,
      ${isExcluded(numberId)} excluded
    from membership m join person p on p.id = m.user_id
    where m.company_id = ${companyId}
      and m.role <> 'deactivated' and p.disabled_at is null order by p.id`.execute(directory);
  return rows;
}

/** SQL: the membership `m` is limited to other numbers than this one. Null: no number in particular. */
const isExcluded = (numberId: number | null) => sql<boolean>`(m.role in ('user', 'reporting')
  and cardinality(m.number_ids) > 0 and ${numberId}::bigint is not null
  and ${numberId}::bigint <> all(m.number_ids))`;

/** Which of these users are active members who are limited to other numbers than this one. */
export const usersExcluded = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  userIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    userIds.length === 0
      ? []
      : (
          await sql<{ id: number }>`select m.user_id as id from membership m
            where m.company_id = ${companyId} and m.user_id = any(${userIds}::bigint[])
              and ${isExcluded(numberId)}`.execute(tx)
        ).rows.map(({ id }) => id),
  );

/** Which of these users are active members of the company. */
export const usersAmong = async (
  tx: Tx,
  companyId: number,
  userIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    userIds.length === 0
      ? []
      : (
          await tx
            .selectFrom('membership')
            .select('user_id')
            .where('company_id', '=', companyId)
            .where('role', '<>', 'deactivated')
            .where('user_id', 'in', [...userIds])
            .execute()
        ).map((row) => row.user_id),
  );

/** Which of these teams the company has; they can't be deleted until the transaction ends. */
export const lockTeams = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Set<number>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await tx
            .selectFrom('team')
            .select('id')
            .where('company_id', '=', companyId)
            .where('id', 'in', [...ids])
            .orderBy('id')
            .forKeyShare()
            .execute()
        ).map((row) => row.id),
  );
