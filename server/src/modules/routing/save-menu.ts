import type { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { presentMenu } from './present.ts';
import { menuRow, saveMenuRow } from './store.ts';

/**
 * Updates the menu; absent fields stay. An empty greeting means one built from the route labels.
 */
export async function saveMenu(
  ctx: TxCtx,
  numberId: number,
  menu: {
    [K in keyof routing.NumberWithRoutes['menu']]?: routing.NumberWithRoutes['menu'][K] | undefined;
  },
): Promise<void> {
  const before = presentMenu(await menuRow(ctx.tx, ctx.companyId, numberId));
  const greeting = menu.greeting === undefined ? before.greeting : menu.greeting;
  const greetingId =
    menu.greeting_id === undefined ? (before.greeting_id ?? null) : menu.greeting_id;
  const fallback = menu.fallback === undefined ? before.fallback : menu.fallback;
  await saveMenuRow(ctx.tx, ctx.companyId, numberId, {
    greeting: greeting === '' ? null : greeting,
    greeting_id: greetingId,
    fallback: fallback === null ? null : String(fallback),
  });
}
