import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

export const owns = ['route', 'forward', 'number_menu'] as const;

export interface RouteRow {
  id: number;
  number_id: number;
  extension: number;
  label: string;
  type: string;
  business_hours: unknown;
  stagger: boolean;
  caller_id_pass_thru: boolean;
  confirm_key: string | null;
  confirm_key_wait_seconds: number;
  confirm_whisper: string;
  timeout_seconds: number;
  onhold_music_id: number | null;
  geo_by_state_enabled: boolean;
  geo_by_state_static_fallback: boolean;
  email_alert_addresses: string[];
  voicemail_enabled: boolean;
  voicemail_greeting: string | null;
  voicemail_greeting_id: number | null;
  round_robin: string;
  after_hours: unknown;
}
export interface ForwardRow {
  id: number;
  route_id: number;
  position: number;
  label: string;
  phone: string | null;
  user_id: number | null;
  /** A forwarding contact instead of phone and person (numbers' door tells where it leads). */
  contact_id: number | null;
  weight: number | null;
  timeout_seconds: number | null;
  business_hours: unknown;
  area_codes: string[];
  states: string[];
  caller_id: string | null;
  custom_caller_id: string | null;
}

/** Routes of some numbers in order of extension. */
export const routesOfNumbers = async (
  tx: Tx,
  companyId: number,
  numberIds: readonly number[],
): Promise<RouteRow[]> =>
  numberIds.length === 0
    ? []
    : tx
        .selectFrom('route')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('number_id', 'in', [...numberIds])
        .orderBy('number_id')
        .orderBy('extension')
        .execute();

/** Destinations of some routes in their order. */
export const forwardsOfRoutes = async (
  tx: Tx,
  companyId: number,
  routeIds: readonly number[],
): Promise<ForwardRow[]> =>
  routeIds.length === 0
    ? []
    : tx
        .selectFrom('forward')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('route_id', 'in', [...routeIds])
        .orderBy('route_id')
        .orderBy('position')
        .execute();

export type NewRoute = Omit<RouteRow, 'id' | 'number_id' | 'business_hours' | 'after_hours'> & {
  business_hours: string | null;
  after_hours: string | null;
};
export type NewForward = Omit<ForwardRow, 'id' | 'route_id' | 'position' | 'business_hours'> & {
  id: number | null;
  business_hours: string | null;
};

export const insertRoute = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  route: NewRoute,
  now: Date,
): Promise<number> =>
  (
    await tx
      .insertInto('route')
      .values({
        ...route,
        company_id: companyId,
        number_id: numberId,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export const updateRoute = (tx: Tx, companyId: number, id: number, route: NewRoute, now: Date) =>
  tx
    .updateTable('route')
    .set({ ...route, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Routes not among `keep` go; those kept step aside (negative extension) so that two may swap their extensions. */
export async function prepareRoutes(
  tx: Tx,
  companyId: number,
  numberId: number,
  keep: readonly number[],
): Promise<void> {
  let gone = tx
    .deleteFrom('route')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId);
  if (keep.length > 0) gone = gone.where('id', 'not in', [...keep]);
  await gone.execute();
  await sql`update route set extension = -1 - extension where company_id = ${companyId} and number_id = ${numberId}`.execute(
    tx,
  );
}

/** The route's destinations, all of them, in this order. */
export async function replaceForwards(
  tx: Tx,
  companyId: number,
  routeId: number,
  forwards: readonly NewForward[],
): Promise<void> {
  const known = new Set((await forwardsOfRoutes(tx, companyId, [routeId])).map((one) => one.id));
  await tx
    .deleteFrom('forward')
    .where('company_id', '=', companyId)
    .where('route_id', '=', routeId)
    .execute();
  for (const [position, { id, ...forward }] of forwards.entries()) {
    await tx
      .insertInto('forward')
      .values({
        ...forward,
        company_id: companyId,
        route_id: routeId,
        position,
        ...(id !== null && known.delete(id) ? { id } : {}),
      })
      .execute();
  }
}

/** One change of a number's routes at a time: two would each remove what the other does not name. Held until the transaction ends. */
export const lockRoutes = (tx: Tx, numberId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended('routes', ${numberId}))`.execute(tx);

/** Keep the number's row from going away until this transaction ends; false when it is gone already. */
export const shareLockNumber = async (
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', numberId)
      .forKeyShare()
      .executeTakeFirst(),
  );

export const menuRow = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .selectFrom('number_menu')
    .select(['greeting', 'greeting_id', 'fallback'])
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .executeTakeFirst();

export const saveMenuRow = (
  tx: Tx,
  companyId: number,
  numberId: number,
  menu: { greeting: string | null; greeting_id: number | null; fallback: string | null },
) =>
  tx
    .insertInto('number_menu')
    .values({ company_id: companyId, number_id: numberId, ...menu })
    .onConflict((c) => c.columns(['company_id', 'number_id']).doUpdateSet(menu))
    .execute();

/** Numbers of the company whose destinations lead, over any of its numbers, to this one (A7.1 loop guard). */
export async function numbersLeadingTo(
  tx: Tx,
  companyId: number,
  number: string,
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    with recursive leads (number) as (
      select n.number from forward f join route r on r.company_id = f.company_id and r.id = f.route_id join number n on n.company_id = r.company_id and n.id = r.number_id
        where f.company_id = ${companyId} and (f.phone = ${number} or f.contact_id in (select c.id from forward_contact c where c.company_id = ${companyId} and c.phone = ${number})) and n.status <> 'released'
      union
      select n.number from leads l join forward f on f.company_id = ${companyId} and (f.phone = l.number or f.contact_id in (select c.id from forward_contact c where c.company_id = ${companyId} and c.phone = l.number))
        join route r on r.company_id = f.company_id and r.id = f.route_id join number n on n.company_id = r.company_id and n.id = r.number_id where n.status <> 'released'
    ) select number from leads where number <> ${number}`.execute(tx);
  return rows.map((row) => row.number);
}

/** Numbers whose routes name a forwarding contact. */
export const numbersUsingContact = async (
  tx: Tx,
  companyId: number,
  contactId: number,
): Promise<number[]> =>
  (
    await sql<{
      number_id: number;
    }>`select distinct r.number_id from forward f join route r on r.company_id = f.company_id and r.id = f.route_id where f.company_id = ${companyId} and f.contact_id = ${contactId} order by 1`.execute(
      tx,
    )
  ).rows.map((row) => row.number_id);
/** Another forwarding contact takes the place of one, wherever it is named. */
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

export interface CompanyPerson {
  id: number;
  name: string;
  callable: boolean;
}
/** People of the company who are not deactivated. Persons are global, so the system role reads them (`db.directory`). */
export async function peopleOf(directory: Tx, companyId: number): Promise<CompanyPerson[]> {
  const { rows } = await sql<CompanyPerson>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, p.sip_address is not null and p.sip_user is not null and p.sip_password_secret is not null callable
    from membership m join person p on p.id = m.user_id
    where m.company_id = ${companyId} and m.role <> 'deactivated' and p.disabled_at is null order by p.id`.execute(
    directory,
  );
  return rows;
}

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
