import { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { readNumber, setRoutingInShort } from '../numbers/index.ts';
import { routingInShort } from './rules.ts';
import { saveRoutes } from './save-routes.ts';
import { holdRoutes, pinNumber, routesOfNumbers } from './store.ts';

/**
 * A number that was just bought gets its first route: it rings everyone who is active in the app, and takes a voicemail
 * when nobody answers. Everything else stands as the given defaults say (B §3).
 */
export async function routeNewNumber(ctx: TxCtx, numberId: number): Promise<void> {
  await holdRoutes(ctx.tx, numberId);
  // A purchase that fell through takes its row away; pinned, it stays until this route is written or was gone before.
  if (!(await pinNumber(ctx.tx, ctx.companyId, numberId))) return;
  const number = await readNumber(ctx.tx, ctx.companyId, numberId);
  const routes = await routesOfNumbers(ctx.tx, ctx.companyId, [numberId]);
  // Gone again, or routed by someone quicker (or by this very reaction before).
  if (number === undefined || routes.length > 0) return;
  const saved = await saveRoutes(ctx, number, [routing.routeIn.parse({ type: 'in-app-calling', voicemail_enabled: true })]);
  await setRoutingInShort(ctx, numberId, routingInShort(saved));
}
