import { formatMoney, type Answer, type billing as contract, type Body } from '#contract';
import { billingSentences } from '#contract/billing/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { ChargeOutcome } from '../../../gateways/payments.ts';
import { companyBilling } from '../company-billing.ts';
import { openAttempt } from './store-payments.ts';
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

/** What is said of a payment that was settled before anyone asked. */
const settledPayment = (owedCents: number): Payment => ({
  state: owedCents > 0 ? 'declined' : 'paid',
  message: owedCents > 0 ? billingSentences.stillOwed : billingSentences.allPaid,
  confirm_url: null,
});

/**
 * Charges what is owed to the card on file; a charge that waits is asked about instead, and with
 * `confirmed` nothing else is done. Fails with `billing.card_declined`.
 */
export async function retryPayment(
  ctx: Ctx,
  { confirmed }: Body<typeof contract.retryPayment>,
): Promise<Answer<typeof contract.retryPayment>> {
  const provider = requireProvider(ctx);
  const attempt = await ctx.transaction(async (t) =>
    confirmed ? openAttempt(t.tx, t.companyId) : intendCharge(t, provider),
  );
  if (!attempt) {
    const { data } = await ctx.readOnly((t) => companyBilling(t));
    return { data, meta: { payment: settledPayment(data.balance_cents) } };
  }
  const outcome = await runCharge(ctx, provider, attempt);
  if (outcome.state === 'declined') fail('billing.card_declined', {}, { reason: outcome.reason });
  const { data } = await ctx.readOnly((t) => companyBilling(t));
  const amount = formatMoney(attempt.amount_cents, attempt.currency);
  return { data, meta: { payment: presentPayment(outcome, `Paid ${amount}. Thank you.`) } };
}
