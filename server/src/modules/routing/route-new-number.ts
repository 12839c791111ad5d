import { routing } from '#contract';
import { companySettingsOf } from '#contract/settings/rules';
import type { TxCtx } from '../../platform/context.ts';
import { ApiError } from '../../platform/errors.ts';
import { companyRow } from '../companies/index.ts';
import {
  recordNumberEvent,
  readNumber,
  setRoutingSummary,
  templateRoutes,
  type RouteSource,
} from '../numbers/index.ts';
import { toRouteInput } from './sent-payload.ts';
import { routesOf } from './routes-of.ts';
import { routingSummary } from './rules.ts';
import { saveRoutes } from './save-routes.ts';
import { lockRoutes, menuRow, shareLockNumber, routesOfNumbers, saveMenuRow } from './store.ts';

async function defaultRoutes(ctx: TxCtx): Promise<routing.RouteIn[]> {
  const company = await companyRow(ctx.tx, ctx.companyId);
  const settings = companySettingsOf(company?.settings);
  return [
    routing.routeIn.parse({
      type: 'in-app-calling',
      voicemail_enabled: true,
      timeout: settings.default_ring_seconds,
      caller_id_pass_thru: settings.default_caller_id_pass_thru,
      confirm_key: settings.default_confirm_key ? '1' : false,
    }),
  ];
}

/**
 * Gives a purchased number its first routes, in the purchase's transaction: those of its template
 * or of the number it replaces, else the default of B §3, which rings every active app user, then
 * takes a voicemail.
 */
export async function routeNewNumber(
  ctx: TxCtx,
  numberId: number,
  like: RouteSource = {},
): Promise<void> {
  await lockRoutes(ctx.tx, numberId);
  // A failed purchase deletes the row: lock it until the routes are written, or stop if it is gone.
  if (!(await shareLockNumber(ctx.tx, ctx.companyId, numberId))) return;
  const number = await readNumber(ctx.tx, ctx.companyId, numberId);
  const routes = await routesOfNumbers(ctx.tx, ctx.companyId, [numberId]);
  // Deleted, or routed by a concurrent request.
  if (number === undefined || routes.length > 0) return;
  const given = like.templateId
    ? await templateRoutes(ctx.tx, ctx.companyId, like.templateId)
    : like.copyOf
      ? await routesLike(ctx, like.copyOf)
      : null;
  if (like.copyOf) {
    const menu = await menuRow(ctx.tx, ctx.companyId, like.copyOf);
    if (menu) await saveMenuRow(ctx.tx, ctx.companyId, numberId, menu);
  }
  const saved =
    (given && (await saveIfPossible(ctx, number, given))) ??
    (await saveRoutes(ctx, number, await defaultRoutes(ctx)));
  await setRoutingSummary(ctx, numberId, routingSummary(saved));
}

/** Replaces a number's routes by those of a template, if it has any. */
export async function routeByTemplate(
  ctx: TxCtx,
  numberId: number,
  templateId: number,
): Promise<void> {
  const number = await readNumber(ctx.tx, ctx.companyId, numberId);
  const routes = await templateRoutes(ctx.tx, ctx.companyId, templateId);
  if (number === undefined || routes === null) return;
  const saved = await saveIfPossible(ctx, number, routes);
  if (saved) await setRoutingSummary(ctx, numberId, routingSummary(saved));
}

/** Another number's routes without their ids; null = it has none. */
const routesLike = async (ctx: TxCtx, numberId: number): Promise<routing.RouteIn[] | null> => {
  const routes = (await routesOf(ctx.tx, ctx.companyId, numberId))
    .map(toRouteInput)
    .map(({ id: _, ...route }) => ({
      ...route,
      forwards: route.forwards.map(({ id: __, ...forward }) => forward),
    }));
  return routes.length ? routes : null;
};

/** Saves routes; null when they are invalid here, which the number's history then explains. */
async function saveIfPossible(
  ctx: TxCtx,
  number: { id: number; number: string },
  routes: routing.RouteIn[],
): Promise<routing.Route[] | null> {
  try {
    return await saveRoutes(ctx, number, routes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await recordNumberEvent(ctx, number.id, {
      type: 'routing_changed',
      summary: `The routes couldn’t be copied: ${Object.values(error.errors ?? {}).flat()[0] ?? error.message}`,
    });
    return null;
  }
}
