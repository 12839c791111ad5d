import { routing, type Body } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { changeNumber, presentNumber, readNumber, setRoutingInShort } from '../numbers/index.ts';
import { routesOf } from './routes-of.ts';
import { routingInShort } from './rules.ts';
import { saveRoutes } from './save-routes.ts';
import { holdRoutes, menuRow, saveMenuRow } from './store.ts';

type Patch = Body<typeof routing.updateNumber>;

/** GET /numbers/{id}: the number's own settings with its routes (A6.1). */
export async function getNumber(ctx: TxCtx, numberId: number): Promise<{ data: routing.NumberWithRoutes }> {
  const number = await presentNumber(ctx, numberId);
  const routes = await routesOf(ctx.tx, ctx.companyId, numberId);
  return { data: { ...number, ...routingInShort(routes), routes, menu: presentMenu(await menuRow(ctx.tx, ctx.companyId, numberId)) } };
}

function presentMenu(row: { greeting: string | null; fallback: string | null } | undefined): routing.NumberWithRoutes['menu'] {
  const fallback = row?.fallback ?? null;
  return { greeting: row?.greeting ?? null, fallback: fallback === null ? null : fallback === 'voicemail' ? 'voicemail' : Number(fallback) };
}

/** PUT /numbers/{id}: the number's own settings first, then menu and routes, in one transaction. */
export async function updateNumber(ctx: TxCtx, numberId: number, patch: Patch): Promise<{ data: routing.NumberWithRoutes }> {
  const { routes, menu, routingType, forwardNumber, ...own } = patch;
  const number = (await readNumber(ctx.tx, ctx.companyId, numberId)) ?? missing();
  const routed = routes !== undefined || menu !== undefined || routingType !== undefined || forwardNumber !== undefined;
  if (routed && ctx.may('routing.edit') === 'none') refuse('role.forbidden');
  // Everyone takes the routes' lock before the number's row; the other way round two writers would wait for each other.
  if (routed) await holdRoutes(ctx.tx, numberId);
  await changeNumber(ctx, numberId, own);
  if (menu !== undefined) await saveMenu(ctx, numberId, menu);
  const wanted = routes ?? (routingType !== undefined || forwardNumber !== undefined ? await firstRouteChanged(ctx, numberId, { routingType, forwardNumber }) : undefined);
  if (wanted !== undefined) {
    const saved = await saveRoutes(ctx, number, wanted);
    await setRoutingInShort(ctx, numberId, routingInShort(saved));
  } else if (menu !== undefined) await ctx.say(routing.routingChanged, { companyId: ctx.companyId, numberId }, { numberId });
  return getNumber(ctx, numberId);
}

async function saveMenu(ctx: TxCtx, numberId: number, menu: NonNullable<Patch['menu']>): Promise<void> {
  const before = presentMenu(await menuRow(ctx.tx, ctx.companyId, numberId));
  const greeting = menu.greeting === undefined ? before.greeting : menu.greeting;
  const fallback = menu.fallback === undefined ? before.fallback : menu.fallback;
  await saveMenuRow(ctx.tx, ctx.companyId, numberId, { greeting: greeting === '' ? null : greeting, fallback: fallback === null ? null : String(fallback) });
}

/** `routingType` and `forwardNumber` are short for the first route's type and its one destination; the others stay. */
async function firstRouteChanged(ctx: TxCtx, numberId: number, short: { routingType: Patch['routingType']; forwardNumber: Patch['forwardNumber'] }): Promise<routing.RouteIn[]> {
  const [first, ...others] = (await routesOf(ctx.tx, ctx.companyId, numberId)).map(asSent);
  const route = first ?? routing.routeIn.parse({});
  const { forwardNumber } = short;
  const forwards = forwardNumber === undefined ? route.forwards : forwardNumber === null ? [] : [routing.forwardIn.parse({ number: forwardNumber })];
  return [{ ...route, type: short.routingType ?? route.type, forwards }, ...others];
}

/** A stored route as it would be sent to save it again unchanged. */
function asSent({ max_attempts: _, voicemail_greeting_id: __, ...route }: routing.Route): routing.RouteIn {
  return { ...route, forwards: route.forwards.map(({ contact_id: ___, ...forward }) => forward) };
}
