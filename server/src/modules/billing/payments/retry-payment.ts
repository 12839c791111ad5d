import { formatMoney, type Answer, type billing as contract } from '#contract';
import { billingSentences } from '#contract/billing/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { ChargeOutcome } from '../../../gateways/payments.ts';
import { companyBilling } from '../company-billing.ts';
import { intendCharge, requireProvider, runCharge } from './charge-balance.ts';

type Payment = Answer<typeof contract.retryPayment>['meta']['payment'];

/** What is said of a charge that went well, or waits for the person's bank. */
export const presentPayment = (
  outcome: Exclude<ChargeOutcome, { state: 'declined' }>,
  paid: string,
): Payment =>
  outcome.state === 'paid'
    ? { state: 'paid', message: paid, confirm_url: null }
    : { state: 'confirm', message: billingSentences.confirm, confirm_url: outcome.url };

/**
 * Charges what is owed to the card on file; a charge that waits is asked about instead. Fails with
 * `billing.card_declined`.
 */
export async function retryPayment(ctx: Ctx): Promise<Answer<typeof contract.retryPayment>> {
  const provider = requireProvider(ctx);
  const attempt = await ctx.transaction((t) => intendCharge(t, provider));
  const outcome = await runCharge(ctx, provider, attempt);
  if (outcome.state === 'declined') fail('billing.card_declined', {}, { reason: outcome.reason });
  const { data } = await ctx.readOnly((t) => companyBilling(t));
  const amount = formatMoney(attempt.amount_cents, attempt.currency);
  return { data, meta: { payment: presentPayment(outcome, `Paid ${amount}. Thank you.`) } };
}
