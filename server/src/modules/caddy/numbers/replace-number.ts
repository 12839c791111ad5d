import type { Answer, Body, caddy as contract } from '#contract';
import { replaceDays } from '#contract/caddy/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { releaseOrRestore } from '../../numbers/index.ts';
import { lockAccount } from '../store.ts';
import { publishUsage } from '../usage.ts';
import { buyOne, requireNumber } from './add-number.ts';
import { requireHeld, stopNumber } from './manage-numbers.ts';
import { allowanceOf } from './plan-of-numbers.ts';
import { presentNumber } from './present-number.ts';
import { dayFor } from '../present.ts';
import {
  finishReplacement,
  insertReplacement,
  removeReplacement,
  replacementsSince,
} from './store-replacements.ts';

const dayMs = 86_400_000;

/**
 * Exchanges a number: the old one stops, then the new one is bought, because the plan may have room
 * for one only. If that fails, the old one is active again.
 */
export async function replaceNumber(
  ctx: Ctx,
  http: Http,
  { id, number }: Body<typeof contract.replaceCaddyNumber>,
): Promise<Answer<typeof contract.replaceCaddyNumber>> {
  const wanted = requireNumber(number);
  const { replacementId, label } = await ctx.transaction((t) => beginReplacement(t, id));
  const bought = await buyOne(ctx, http, wanted, label).catch(async (error: unknown) => {
    await ctx.transaction(async (t) => {
      await removeReplacement(t.tx, t.companyId, replacementId);
      await releaseOrRestore(t, id, { undo: true, reason: null });
    });
    throw error;
  });
  await ctx.transaction(async (t) => {
    await finishReplacement(t.tx, t.companyId, replacementId, bought.id);
    await publishUsage(t);
  });
  return { data: presentNumber(bought) };
}

/** Counts the exchange and stops the old number. */
async function beginReplacement(t: TxCtx, id: number) {
  const account = (await lockAccount(t.tx, t.companyId)) ?? notFound();
  const old = await requireHeld(t, id);
  if (old.status !== 'active') notFound();
  const { replacements: allowed } = await allowanceOf(t.tx, t.companyId);
  const since = new Date(t.now.getTime() - replaceDays * dayMs);
  const lately = await replacementsSince(t.tx, t.companyId, since);
  const oldest = lately[lately.length - allowed];
  if (oldest) {
    const again = new Date(oldest.at.getTime() + replaceDays * dayMs);
    fail('caddy.replaced_lately', { n: allowed, date: await dayFor(t.tx, account, again) });
  }
  const replacementId = await insertReplacement(t.tx, t.companyId, id, t.now);
  await stopNumber(t, id, 'Exchanged');
  return { replacementId, label: old.label };
}
