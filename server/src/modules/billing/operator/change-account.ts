import { randomUUID } from 'node:crypto';
import { billing, formatMoney, type billingAccounts as contract, type Body } from '#contract';
import { taxWithin } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { bePaid } from '../dunning/past-due.ts';
import { takeDunningStep } from '../dunning/take-step.ts';
import { issueCreditNote } from '../invoices/credit-note.ts';
import { balanceOf, insertEntry } from '../ledger/store-ledger.ts';
import { collect } from '../payments/collect.ts';
import { closePeriods } from '../periods/close-period.ts';
import { subscriptionToChange } from '../plan/running-plan.ts';
import type { SubscriptionRow } from '../store-subscription.ts';
import { requireBilling } from '../subscription.ts';
import { taxOfAccount } from '../tax/tax-of-account.ts';
import { getBillingAccount, type AccountAnswer } from './accounts.ts';
import { passDay } from './store-accounts.ts';

/** Once nothing is owed, the account works again. */
async function settle(t: TxCtx, row: SubscriptionRow): Promise<AccountAnswer> {
  if ((await balanceOf(t.tx, t.companyId)) <= 0) await bePaid(t, row);
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  return getBillingAccount(t);
}

/** Enters a payment that came outside of the server. Fails with `billing.payment_known`. */
export async function recordPayment(
  t: TxCtx,
  { amount_cents: cents, reference }: Body<typeof contract.recordPayment>,
): Promise<AccountAnswer> {
  const row = await subscriptionToChange(t);
  const entry = await insertEntry(t.tx, t.companyId, {
    cause: `transfer:${reference.toLowerCase()}`,
    kind: 'payment',
    amountCents: -cents,
    currency: 'USD',
    description: reference,
    at: t.now,
  });
  if (!entry) fail('billing.payment_known', { reference });
  await audit(t, 'billing.paid', `payment:${entry.id}`, {
    after: { amount_cents: cents, reference },
  });
  return settle(t, row);
}

/** Credits an amount with the tax in it, with a credit note. */
export async function creditAccount(
  t: TxCtx,
  { amount_cents: cents, reason }: Body<typeof contract.creditAccount>,
): Promise<AccountAnswer> {
  const row = await subscriptionToChange(t);
  const terms = await taxOfAccount(t);
  const note = await issueCreditNote(t, {
    ...{ cause: `credit:${randomUUID()}`, description: reason, cents, terms },
    taxCents: terms ? taxWithin(cents, terms.rate) : 0,
    isMailed: row.receives_invoice_emails,
  });
  await audit(t, 'billing.credited', `invoice:${note.id}`, {
    after: { amount: formatMoney(cents), reason },
  });
  return settle(t, row);
}

/**
 * Lets days pass for a company of the sandbox, one after the other, with all that the clock does.
 * Fails with `billing.no_clock` where money is real.
 */
export async function moveBillingClock(
  ctx: Ctx,
  { days }: Body<typeof contract.moveBillingClock>,
): Promise<AccountAnswer> {
  requireBilling(ctx);
  if (ctx.settings.billing !== 'sandbox') fail('billing.no_clock');
  await ctx.transaction((t) =>
    audit(t, 'billing.clock_moved', `company:${t.companyId}`, { after: { days } }),
  );
  for (let day = 0; day < days; day++) {
    await ctx.transaction(async (t) => {
      await subscriptionToChange(t);
      await passDay(t.tx, t.companyId);
      await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
      await closePeriods(t);
    });
    await collectIfOpen(ctx);
    await takeDunningStep(ctx);
  }
  return ctx.readOnly((t) => getBillingAccount(t));
}

/** What a period left to pay is charged at once; while past due only the steps of dunning try again. */
async function collectIfOpen(ctx: Ctx): Promise<void> {
  const isOpen = await ctx.transaction(
    async (t) => (await subscriptionToChange(t)).state !== 'retry_period',
  );
  if (isOpen) await collect(ctx);
}
