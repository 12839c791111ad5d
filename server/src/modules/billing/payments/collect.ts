import { billing as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { ChargeOutcome } from '../../../gateways/payments.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { becomePastDue } from '../dunning/past-due.ts';
import { lockedSubscription } from '../store-subscription.ts';
import { intendCharge, runCharge } from './charge-balance.ts';

/**
 * Charges what an invoice left to pay. Without a card the account is past due at once; where money
 * comes by invoice, it waits. Null: nothing was charged.
 */
export async function collect(ctx: Ctx): Promise<ChargeOutcome | null> {
  const provider = ctx.gateways.payments;
  if (!provider) return null;
  const attempt = await ctx.transaction(async (t) => {
    const row = await lockedSubscription(t.tx, t.companyId, {
      now: t.now,
      provider: t.settings.billing,
    });
    if ((await balanceOf(t.tx, t.companyId)) < provider.leastCents) return null;
    if (row.card_reference) return intendCharge(t, provider);
    await lackCard(t);
    return null;
  });
  return attempt ? runCharge(ctx, provider, attempt) : null;
}

async function lackCard(t: TxCtx): Promise<void> {
  const row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  await becomePastDue(t, row, 'There is no card yet.');
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
}
