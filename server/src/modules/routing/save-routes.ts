import { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { saveInitialVersion, saveVersion, type VersionOrigin } from './flows/save-version.ts';
import { contactDestinations } from '../numbers/index.ts';
import { greetingsOfRoutes, greetingErrors } from './greetings/check-greetings.ts';
import { routesOf } from './routes-of.ts';
import {
  lockRoutes,
  insertRoute,
  prepareRoutes,
  replaceForwards,
  routesOfNumbers,
  updateRoute,
  type NewForward,
  type NewRoute,
} from './store.ts';
import { lockTeams, numbersLeadingTo, ownedNumbers, usersAmong } from './store-references.ts';

type RouteIn = routing.RouteIn;
type Errors = Record<string, string[]>;

/**
 * Replaces the number's routes: updates known ones (by id, else by extension), adds new ones,
 * deletes the rest, and saves a flow version. Throws invalid with errors by field, such as
 * `routes.0.forwards.1.number`.
 */
export async function saveRoutes(
  ctx: TxCtx,
  number: { id: number; number: string },
  routes: readonly RouteIn[],
  field = 'routes',
  origin: VersionOrigin = { kind: 'saved' },
): Promise<routing.Route[]> {
  const { tx, companyId } = ctx;
  await lockRoutes(tx, number.id);
  await saveInitialVersion(ctx, number.id);
  const before = await routesOfNumbers(tx, companyId, [number.id]);
  const errors: Errors = {};
  await checkDestinations(ctx, number, routes, field, errors);
  Object.assign(errors, await greetingErrors(ctx, greetingsOfRoutes(routes, field)));
  routes.forEach((route, i) => {
    if (route.id && !before.some((one) => one.id === route.id))
      errors[`${field}.${i}.id`] = ['This route no longer exists. Reload and try again.'];
  });
  if (Object.keys(errors).length > 0) invalid(errors);

  const taken = new Set(routes.flatMap((route) => route.id ?? []));
  const ids = routes.map(
    (route) =>
      route.id ??
      before.find((one) => one.extension === route.extension && !taken.has(one.id))?.id ??
      null,
  );
  await prepareRoutes(
    tx,
    companyId,
    number.id,
    ids.filter((id) => id !== null),
  );
  for (const [i, route] of routes.entries()) {
    const known = ids[i] ?? null;
    const id = known ?? (await insertRoute(tx, companyId, number.id, rowOf(route), ctx.now));
    if (known !== null) await updateRoute(tx, companyId, known, rowOf(route), ctx.now);
    await replaceForwards(tx, companyId, id, route.forwards.map(forwardRowOf));
  }
  await saveVersion(ctx, number.id, origin);
  await ctx.publish(
    routing.routingChanged,
    { companyId, numberId: number.id },
    { numberId: number.id },
  );
  return routesOf(tx, companyId, number.id);
}

/** What destinations refer to. */
interface DestinationReferences {
  users: ReadonlySet<number>;
  teams: ReadonlySet<number>;
  contacts: ReadonlyMap<number, { number: string | null }>;
  /** Numbers of ours that may be sent as caller ID. */
  ownNumbers: ReadonlySet<string>;
  /** This number and those that forward to it: forwarding there would loop. */
  loops: ReadonlySet<string>;
  number: string;
}

/**
 * Adds an error for each destination that does not exist, leads back, or sends a foreign caller ID.
 */
async function checkDestinations(
  ctx: TxCtx,
  number: { number: string },
  routes: readonly RouteIn[],
  field: string,
  errors: Errors,
): Promise<void> {
  const { tx, companyId } = ctx;
  const forwards = routes.flatMap((route) => route.forwards);
  const userIds = forwards.flatMap((one) => one.user_id ?? []);
  const contactIds = [...new Set(forwards.flatMap((one) => one.contact_id ?? []))];
  const callerIds = forwards.flatMap((one) => one.custom_caller_id ?? []);
  const references: DestinationReferences = {
    users: await usersAmong(tx, companyId, userIds),
    teams: await lockTeams(
      tx,
      companyId,
      forwards.flatMap((one) => one.team_id ?? []),
    ),
    contacts: await contactDestinations(tx, companyId, contactIds, { hold: true }),
    ownNumbers: await ownedNumbers(tx, companyId, callerIds),
    loops: new Set([number.number, ...(await numbersLeadingTo(tx, companyId, number.number))]),
    number: number.number,
  };
  for (const [i, route] of routes.entries()) {
    for (const [j, forward] of route.forwards.entries())
      checkDestination(forward, `${field}.${i}.forwards.${j}`, references, errors);
    const after = route.after_hours;
    const leadsBack =
      after?.action === 'forward' &&
      references.loops.has(routing.destinationNumber(String(after.target)) ?? '');
    if (leadsBack)
      errors[`${field}.${i}.after_hours.target`] = [
        'This number leads back to the one you’re changing.',
      ];
  }
}

function checkDestination(
  forward: RouteIn['forwards'][number],
  field: string,
  { users, teams, contacts, ownNumbers, loops, number }: DestinationReferences,
  errors: Errors,
): void {
  if (forward.contact_id) {
    const contact = contacts.get(forward.contact_id);
    if (!contact) errors[`${field}.contact_id`] = ['This forwarding contact doesn’t exist.'];
    else if (contact.number && loops.has(contact.number))
      errors[`${field}.contact_id`] = [
        'This forwarding contact leads back to the number you’re changing.',
      ];
    return;
  }
  if (forward.team_id && !teams.has(forward.team_id))
    errors[`${field}.team_id`] = ['This team doesn’t exist.'];
  if (forward.user_id && !users.has(forward.user_id))
    errors[`${field}.user_id`] = ['This person isn’t in the company.'];
  if (forward.number && loops.has(forward.number))
    errors[`${field}.number`] = [
      forward.number === number
        ? 'A number can’t forward to itself.'
        : 'This number leads back to the one you’re changing.',
    ];
  const { custom_caller_id: callerId } = forward;
  if (forward.caller_id === 'custom' && callerId && !ownNumbers.has(callerId))
    errors[`${field}.custom_caller_id`] = ['Choose one of your own numbers to show.'];
}

function rowOf(route: RouteIn): NewRoute {
  const after = route.after_hours;
  return {
    extension: route.extension,
    label: route.label,
    type: route.type,
    business_hours: route.business_hours === null ? null : JSON.stringify(route.business_hours),
    stagger: route.stagger,
    caller_id_pass_thru: route.caller_id_pass_thru,
    confirm_key: route.confirm_key === false ? null : String(route.confirm_key),
    confirm_key_wait_seconds: route.confirm_key_wait,
    confirm_whisper: route.confirm_whisper,
    timeout_seconds: route.timeout,
    onhold_music_id: route.onhold_music_id,
    geo_by_state_enabled: route.geo_by_state_enabled,
    geo_by_state_static_fallback: route.geo_by_state_static_fallback,
    email_alert_addresses: route.email_alert_address,
    voicemail_enabled: route.voicemail_enabled,
    voicemail_greeting: route.voicemail_greeting,
    voicemail_greeting_id: route.voicemail_greeting_id,
    round_robin: route.round_robin,
    after_hours:
      after === null ? null : JSON.stringify({ action: after.action, target: targetOf(after) }),
  };
}

function targetOf(after: NonNullable<RouteIn['after_hours']>): string | number | null {
  if (after.action === 'voicemail') return null;
  if (after.action === 'forward') return routing.destinationNumber(String(after.target));
  return after.action === 'route' ? Number(after.target) : (after.target ?? null);
}

function forwardRowOf(forward: RouteIn['forwards'][number]): NewForward {
  return {
    id: forward.id ?? null,
    // The own name of a forwarding contact or team is shown, which may change.
    label: forward.contact_id || forward.team_id ? '' : forward.label,
    contact_id: forward.contact_id ?? null,
    phone: forward.contact_id ? null : (forward.number ?? null),
    user_id: forward.contact_id ? null : (forward.user_id ?? null),
    team_id: forward.contact_id ? null : (forward.team_id ?? null),
    weight: forward.weight ?? null,
    timeout_seconds: forward.timeout ?? null,
    business_hours: forward.schedule ? JSON.stringify(forward.schedule) : null,
    area_codes: forward.area_codes,
    states: forward.states,
    caller_id: forward.caller_id ?? null,
    custom_caller_id: forward.caller_id === 'custom' ? (forward.custom_caller_id ?? null) : null,
  };
}
