import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

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
  /** A forwarding contact instead of phone and user; the numbers module resolves it. */
  contact_id: number | null;
  /** A team instead: its people at the time of the call. */
  team_id: number | null;
  weight: number | null;
  timeout_seconds: number | null;
  business_hours: unknown;
  area_codes: string[];
  states: string[];
  caller_id: string | null;
  custom_caller_id: string | null;
}

/** The routes of these numbers, by number and extension. */
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

/** The destinations of these routes, by route and position. */
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

/** Inserts a route and returns its id. */
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

/** Replaces the columns of a route. */
export const updateRoute = (tx: Tx, companyId: number, id: number, route: NewRoute, now: Date) =>
  tx
    .updateTable('route')
    .set({ ...route, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/**
 * Deletes the routes not in `keep` and gives the kept ones negative extensions, so that two can
 * swap theirs without violating the unique key.
 */
export async function prepareRoutes(
  tx: Tx,
  companyId: number,
  numberId: number,
  keep: readonly number[],
): Promise<void> {
  let removed = tx
    .deleteFrom('route')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId);
  if (keep.length > 0) removed = removed.where('id', 'not in', [...keep]);
  await removed.execute();
  await sql`update route set extension = -1 - extension
    where company_id = ${companyId} and number_id = ${numberId}`.execute(tx);
}

/** Replaces the destinations of a route, in this order; known ids are kept. */
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

/**
 * Serializes changes of a number's routes until the transaction ends: each replaces all of them.
 */
export const lockRoutes = (tx: Tx, numberId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended('routes', ${numberId}))`.execute(tx);

/** Prevents the number's deletion until the transaction ends. False: it is deleted already. */
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

/** The menu of a number. Undefined: none was ever saved. */
export const menuRow = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .selectFrom('number_menu')
    .select(['greeting', 'greeting_id', 'fallback'])
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .executeTakeFirst();

/**
 * Stores the menu of a number. `fallback`: what callers who press nothing get, null for the
 * number's voicemail or else its first route.
 */
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
