import { billing as contract } from '#contract';
import { billingSentences } from '#contract/billing/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { ChargeOutcome } from '../../../gateways/payments.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { becomePastDue } from '../dunning/past-due.ts';
import { lockedSubscription } from '../store-subscription.ts';
import { intendCharge, runCharge } from './charge-balance.ts';

/**
 * Charges what an invoice left to pay. Without a card, or where the bank wants to hear from the
 * person, the account is past due at once; where money comes by invoice, it waits. Null: nothing was
 * charged.
 */
export async function collect(
  ctx: Ctx,
  { isPersonThere = false } = {},
): Promise<ChargeOutcome | null> {
  const provider = ctx.gateways.payments;
  if (!provider) return null;
  const attempt = await ctx.transaction(async (t) => {
    const row = await lockedSubscription(t.tx, t.companyId, {
      now: t.now,
      provider: t.settings.billing,
    });
    if ((await balanceOf(t.tx, t.companyId)) < provider.leastCents) return null;
    if (row.card_reference) return intendCharge(t, provider);
    await lackPerson(t, 'There is no card yet.');
    return null;
  });
  const outcome = attempt && (await runCharge(ctx, provider, attempt));
  // No one is there to confirm it: billing people are told, and paying leads to the bank's page.
  if (outcome?.state === 'confirm' && !isPersonThere)
    await ctx.transaction((t) => lackPerson(t, billingSentences.confirm));
  return outcome;
}

/** What is owed can't be charged without someone doing something: the account is past due. */
async function lackPerson(t: TxCtx, reason: string): Promise<void> {
  const row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  await becomePastDue(t, row, reason);
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
}
