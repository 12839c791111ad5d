import { billing, type billingAccounts as contract, type Body } from '#contract';
import { shareOf } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { issueCreditNote } from '../invoices/credit-note.ts';
import { invoiceNumber } from '../invoices/issue-invoice.ts';
import { dueOf, invoiceById, invoicePage, type InvoiceRow } from '../invoices/store-invoices.ts';
import { refundJob } from '../job-kinds.ts';
import { insertEntry } from '../ledger/store-ledger.ts';
import { knownCharge } from '../payments/charge-balance.ts';
import { attemptById } from '../payments/store-payments.ts';
import { noUsageMonth } from '../periods/period.ts';
import { stepOrFail, subscriptionToChange } from '../plan/running-plan.ts';
import { lockedSubscription, patchSubscription } from '../store-subscription.ts';
import { getBillingAccount, type AccountAnswer } from './accounts.ts';
import {
  insertRefund,
  paidAttempt,
  refundById,
  refundedOf,
  settleRefund,
  wasRefused,
  type RefundRow,
} from './store-refunds.ts';

/** When a job asks again, if whoever asked first is gone. */
const askAgainMs = 60_000;

/**
 * Pays money of a paid invoice back: a credit note at once, the money when the provider took it, or
 * by hand where no card paid. Fails with `billing.not_paid`, `billing.refund_too_much` or
 * `billing.refund_refused`.
 */
export async function refundInvoice(
  ctx: Ctx,
  body: Body<typeof contract.refundInvoice>,
): Promise<AccountAnswer> {
  const refund = await ctx.transaction((t) => intendRefund(t, body));
  if (refund.state === 'pending') await runRefund(ctx, refund.id);
  return ctx.readOnly((t) => getBillingAccount(t));
}

async function intendRefund(
  t: TxCtx,
  { invoice_id, amount_cents: wanted, reason, ends_plan }: Body<typeof contract.refundInvoice>,
): Promise<RefundRow> {
  const row = await subscriptionToChange(t);
  const invoice = (await invoiceById(t.tx, t.companyId, invoice_id)) ?? notFound();
  const isPaid = invoice.total_cents > 0 && !(await dueOf(t.tx, t.companyId)).get(invoice.id);
  if (!isPaid) fail('billing.not_paid');
  const before = (await refundedOf(t.tx, t.companyId)).get(invoice.id) ?? 0;
  const left = invoice.total_cents - before;
  const cents = wanted ?? left;
  if (cents <= 0 || cents > left) fail('billing.refund_too_much');
  // Its credit note stands: another one would credit the same money twice.
  if (await wasRefused(t.tx, t.companyId, invoice.id)) fail('billing.refund_refused');
  const state = ends_plan ? stepOrFail(row, 'refund_started') : row.state;
  const note = await issueCreditNote(t, {
    cause: `refund:${invoice.id}:${left}`,
    description: `Refund of ${invoiceNumber(invoice)}: ${reason}`,
    cents,
    terms: invoice.tax,
    taxCents: taxRefunded(invoice, before + cents) - taxRefunded(invoice, before),
    isMailed: row.receives_invoice_emails,
  });
  const { total } = await invoicePage(t.tx, t.companyId, { page: 1, perPage: 1 });
  const attempt = t.gateways.payments ? await paidAttempt(t.tx, t.companyId, cents) : undefined;
  const refund = await insertRefund(t.tx, t.companyId, {
    credit_note_id: note.id,
    attempt_id: attempt?.id ?? null,
    amount_cents: cents,
    currency: invoice.currency,
    state: 'pending',
    // With its credit note there are two: it was the first invoice.
    ends_plan: ends_plan ? (total === 2 ? 'first' : 'ends') : null,
    created_at: t.now,
    settled_at: null,
  });
  await patchSubscription(t.tx, t.companyId, { state }, t.now);
  await audit(t, 'billing.refunded', `invoice:${invoice.id}`, {
    after: { amount_cents: cents, reason, ends_plan },
  });
  await t.enqueue(
    refundJob,
    { refundId: refund.id },
    { delayMs: askAgainMs, key: `billing.refund:${t.companyId}:${refund.id}` },
  );
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  return refund;
}

/** The tax in what is refunded of an invoice: once all of it is, all of its tax is. */
const taxRefunded = ({ tax_cents, total_cents }: InvoiceRow, cents: number): number =>
  shareOf(tax_cents, cents, total_cents);

/** Asks the provider for a refund that was stored, and stores the answer. Asked again, it is paid once. */
export async function runRefund(ctx: Ctx, refundId: number): Promise<void> {
  const found = await ctx.readOnly(async (t) => {
    const refund = await refundById(t.tx, t.companyId, refundId);
    const attempt = refund?.attempt_id
      ? await attemptById(t.tx, t.companyId, refund.attempt_id)
      : undefined;
    return { refund, attempt };
  });
  const { refund, attempt } = found;
  if (refund?.state !== 'pending') return;
  const outcome =
    attempt && ctx.gateways.payments
      ? await ctx.gateways.payments.refund({
          key: `trunkline-refund-${ctx.companyId}-${refundId}`,
          charge: knownCharge(attempt),
          amountCents: refund.amount_cents,
        })
      : ({ state: 'refunded' } as const);
  await ctx.transaction((t) => storeRefund(t, refund, outcome));
}

/** The money in the books, and the state it leads to. Refused, the credit stays on the account. */
async function storeRefund(
  t: TxCtx,
  refund: RefundRow,
  outcome: { state: 'refunded' } | { state: 'refused'; reason: string },
): Promise<void> {
  const row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  const isDone = outcome.state === 'refunded';
  const settled = await settleRefund(t.tx, refund, {
    state: isDone ? 'done' : 'refused',
    reason: outcome.state === 'refused' ? outcome.reason : null,
    settled_at: t.now,
  });
  if (!settled) return;
  if (isDone)
    await insertEntry(t.tx, t.companyId, {
      cause: `refund:${refund.id}`,
      kind: 'refund',
      amountCents: refund.amount_cents,
      currency: refund.currency,
      description: refund.attempt_id === null ? 'Paid back by hand' : 'Paid back to the card',
      at: t.now,
    });
  if (refund.ends_plan) {
    const step = billing.stepOf(
      row.state,
      refund.ends_plan === 'first' ? 'refund_of_first_done' : 'refund_done',
    );
    if ('to' in step)
      await patchSubscription(
        t.tx,
        t.companyId,
        {
          state: step.to,
          period_end: t.now,
          ...noUsageMonth,
          cancel_at: null,
          pending_plan: null,
          pending_at: null,
        },
        t.now,
      );
  }
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
}
