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
  numbersLeadingTo,
  ownedNumbers,
  replaceForwards,
  routesOfNumbers,
  updateRoute,
  usersAmong,
  type NewForward,
  type NewRoute,
} from './store.ts';

type RouteIn = routing.RouteIn;
type Errors = Record<string, string[]>;

/**
 * Make these the number's routes, all of them: known ones are changed (by id, else by extension), new ones added, the
 * rest removed. Errors stand at their field: `routes.0.forwards.1.number`. Whoever writes, the history of the flow tells.
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

/** People must belong to the company, our own numbers must not lead back, and what is shown must be ours. */
async function checkDestinations(
  ctx: TxCtx,
  number: { number: string },
  routes: readonly RouteIn[],
  field: string,
  errors: Errors,
): Promise<void> {
  const { tx, companyId } = ctx;
  const forwards = routes.flatMap((route) => route.forwards);
  const users = await usersAmong(
    tx,
    companyId,
    forwards.flatMap((one) => one.user_id ?? []),
  );
  const contacts = await contactDestinations(
    tx,
    companyId,
    [...new Set(forwards.flatMap((one) => one.contact_id ?? []))],
    { hold: true },
  );
  const shown = await ownedNumbers(
    tx,
    companyId,
    forwards.flatMap((one) => one.custom_caller_id ?? []),
  );
  const circle = new Set([
    number.number,
    ...(await numbersLeadingTo(tx, companyId, number.number)),
  ]);
  routes.forEach((route, i) => {
    route.forwards.forEach((forward, j) => {
      const at = `${field}.${i}.forwards.${j}`;
      if (forward.contact_id) {
        const contact = contacts.get(forward.contact_id);
        if (!contact) errors[`${at}.contact_id`] = ['This forwarding contact doesn’t exist.'];
        else if (contact.number && circle.has(contact.number))
          errors[`${at}.contact_id`] = [
            'This forwarding contact leads back to the number you’re changing.',
          ];
        return;
      }
      if (forward.user_id && !users.has(forward.user_id))
        errors[`${at}.user_id`] = ['This person isn’t in the company.'];
      if (forward.number && circle.has(forward.number))
        errors[`${at}.number`] = [
          forward.number === number.number
            ? 'A number can’t forward to itself.'
            : 'This number leads back to the one you’re changing.',
        ];
      if (
        forward.caller_id === 'custom' &&
        forward.custom_caller_id &&
        !shown.has(forward.custom_caller_id)
      )
        errors[`${at}.custom_caller_id`] = ['Choose one of your own numbers to show.'];
    });
    const after = route.after_hours;
    if (
      after?.action === 'forward' &&
      circle.has(routing.destinationNumber(String(after.target)) ?? '')
    )
      errors[`${field}.${i}.after_hours.target`] = [
        'This number leads back to the one you’re changing.',
      ];
  });
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
    // A forwarding contact has a name of its own, which may change.
    label: forward.contact_id ? '' : forward.label,
    contact_id: forward.contact_id ?? null,
    phone: forward.contact_id ? null : (forward.number ?? null),
    user_id: forward.contact_id ? null : (forward.user_id ?? null),
    weight: forward.weight ?? null,
    timeout_seconds: forward.timeout ?? null,
    business_hours: forward.schedule ? JSON.stringify(forward.schedule) : null,
    area_codes: forward.area_codes,
    states: forward.states,
    caller_id: forward.caller_id ?? null,
    custom_caller_id: forward.caller_id === 'custom' ? (forward.custom_caller_id ?? null) : null,
  };
}
