import { routing, type Body } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { teamsWithPeople } from '../companies/index.ts';
import { changeNumber, presentNumber, readNumber, setRoutingSummary } from '../numbers/index.ts';
import { toRouteInput } from './sent-payload.ts';
import { saveInitialVersion, saveVersion } from './flows/save-version.ts';
import { greetingErrors } from './greetings/check-greetings.ts';
import { presentMenu } from './present.ts';
import { routesOf } from './routes-of.ts';
import { routingSummary } from './rules.ts';
import { saveMenu } from './save-menu.ts';
import { peopleOf, usersExcluded } from './store-references.ts';
import { saveRoutes } from './save-routes.ts';
import { schedulesOf } from './schedules/store.ts';
import { lockRoutes, menuRow } from './store.ts';

// The system role: names of people, who are people across companies.

type Patch = Body<typeof routing.updateNumber>;

/** GET /numbers/{id}: the number's own settings with its routes (A6.1). */
export async function getNumber(
  ctx: TxCtx,
  numberId: number,
): Promise<{ data: routing.NumberWithRoutes }> {
  const number = await presentNumber(ctx, numberId);
  const routes = await routesOf(ctx.tx, ctx.companyId, numberId);
  return {
    data: {
      ...number,
      ...routingSummary(routes),
      routes,
      menu: presentMenu(await menuRow(ctx.tx, ctx.companyId, numberId)),
      excluded_users: await excludedUsers(ctx, numberId, routes),
    },
  };
}

/** Users whom the routes name, themselves or with a team, although the number isn’t among theirs. */
async function excludedUsers(ctx: TxCtx, numberId: number, routes: readonly routing.Route[]) {
  const forwards = routes.flatMap((route) => route.forwards);
  const teamIds = forwards.flatMap((one) => one.team_id ?? []);
  const teams = await teamsWithPeople(ctx.tx, ctx.companyId, teamIds);
  const named = [
    ...forwards.flatMap((one) => one.user_id ?? []),
    ...teams.flatMap((team) => team.userIds),
  ];
  // In this transaction, which may have changed who sees the number.
  const excluded = await usersExcluded(ctx.tx, ctx.companyId, numberId, named);
  if (!excluded.size) return [];
  const people = await peopleOf(ctx.db.unscoped, ctx.companyId, null);
  return people.filter(({ id }) => excluded.has(id)).map(({ id, name }) => ({ id, name }));
}

/**
 * PUT /numbers/{id}: the number's own settings first, then menu and routes, in one transaction.
 * `not_found` when the number doesn't exist.
 */
export async function updateNumber(
  ctx: TxCtx,
  numberId: number,
  patch: Patch,
): Promise<{ data: routing.NumberWithRoutes }> {
  const { routes, menu, routingType, forwardNumber, ...own } = patch;
  const number = (await readNumber(ctx.tx, ctx.companyId, numberId)) ?? notFound();
  const routed =
    routes !== undefined ||
    menu !== undefined ||
    routingType !== undefined ||
    forwardNumber !== undefined;
  // Lock order everywhere: routes, then the number's row. The reverse could deadlock.
  if (routed) await lockRoutes(ctx.tx, numberId);
  if (routed) await saveInitialVersion(ctx, numberId);
  await checkReferences(ctx, own, menu);
  await changeNumber(ctx, numberId, own);
  if (menu !== undefined) await saveMenu(ctx, numberId, menu);
  const wanted =
    routes ??
    (routingType !== undefined || forwardNumber !== undefined
      ? await changeFirstRoute(ctx, numberId, { routingType, forwardNumber })
      : undefined);
  if (wanted !== undefined) {
    const saved = await saveRoutes(ctx, number, wanted);
    await setRoutingSummary(ctx, numberId, routingSummary(saved));
  } else if (menu !== undefined) {
    await saveVersion(ctx, numberId, { kind: 'saved' });
    await ctx.publish(routing.routingChanged, { companyId: ctx.companyId, numberId }, { numberId });
  }
  return getNumber(ctx, numberId);
}

/** Throws invalid when a greeting or schedule is not the company's. */
async function checkReferences(
  ctx: TxCtx,
  own: Pick<
    Patch,
    'greeting_id' | 'voicemail' | 'recording_announcement_greeting_id' | 'schedule_id'
  >,
  menu: Patch['menu'],
): Promise<void> {
  const named = {
    greeting_id: own.greeting_id,
    'voicemail.greeting_id': own.voicemail?.greeting_id,
    recording_announcement_greeting_id: own.recording_announcement_greeting_id,
    'menu.greeting_id': menu?.greeting_id,
  };
  const errors = await greetingErrors(
    ctx,
    Object.entries(named).flatMap(([field, id]) => (id ? [{ field, id }] : [])),
  );
  if (
    own.schedule_id &&
    !(await schedulesOf(ctx.tx, ctx.companyId)).some((one) => one.id === own.schedule_id)
  )
    errors['schedule_id'] = ['This schedule doesn’t exist.'];
  if (Object.keys(errors).length > 0) invalid(errors);
}

/**
 * The routes with the first one changed: `routingType` is its type, `forwardNumber` its only
 * target.
 */
async function changeFirstRoute(
  ctx: TxCtx,
  numberId: number,
  shorthand: { routingType: Patch['routingType']; forwardNumber: Patch['forwardNumber'] },
): Promise<routing.RouteIn[]> {
  const [first, ...others] = (await routesOf(ctx.tx, ctx.companyId, numberId)).map(toRouteInput);
  const route = first ?? routing.routeIn.parse({});
  const { forwardNumber } = shorthand;
  if (forwardNumber === undefined)
    return [{ ...route, type: shorthand.routingType ?? route.type }, ...others];
  const forwards =
    forwardNumber === null ? [] : [routing.forwardIn.parse({ number: forwardNumber })];
  return [{ ...route, type: shorthand.routingType ?? route.type, forwards }, ...others];
}
