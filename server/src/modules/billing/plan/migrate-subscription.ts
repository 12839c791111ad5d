import { billing, formatMoney, type Answer, type subscription as contract } from '#contract';
import { plans, trialDays, type PlanId } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { noDunning } from '../dunning/past-due.ts';
import { mailInvoice } from '../invoices/mail-invoice.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { collect } from '../payments/collect.ts';
import { presentPayment } from '../payments/retry-payment.ts';
import { planLine } from '../periods/close-period.ts';
import { nextPeriodEnd, noUsageMonth, usageMonth } from '../periods/period.ts';
import { patchSubscription, type SubscriptionRow } from '../store-subscription.ts';
import { getSubscription } from '../subscription.ts';
import { hasPlan, usageUntilChange } from './preview-migration.ts';
import { quoteChange } from './quote.ts';
import { requireSold, runningPlan, stepOrFail, subscriptionToChange } from './running-plan.ts';

type Migrated = Answer<typeof contract.migrateSubscription>;

/**
 * Buys a plan or changes it, and charges what that costs now. A declined card leaves the plan and
 * makes the account past due. Fails with the sentence of the state table.
 */
export async function migrateSubscription(ctx: Ctx, identifier: PlanId): Promise<Migrated> {
  const message = await ctx.transaction(async (t) => {
    const row = await subscriptionToChange(t);
    const isChange = hasPlan(row);
    const state = stepOrFail(row, isChange ? 'change_plan' : 'purchase');
    requireSold(row, identifier);
    const said = isChange
      ? await changePlan(t, row, identifier)
      : await purchase(t, row, identifier, state);
    await audit(t, 'subscription.plan_changed', `company:${t.companyId}`, {
      before: { plan: row.plan },
      after: { plan: identifier },
    });
    await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
    return said;
  });
  const owed = await ctx.readOnly((t) => balanceOf(t.tx, t.companyId));
  const outcome = owed > 0 ? await collect(ctx, { isPersonThere: true }) : null;
  const { data } = await ctx.readOnly((t) => getSubscription(t));
  return { data, meta: { payment: paymentOf(outcome, owed, message) } };
}

function paymentOf(
  outcome: Awaited<ReturnType<typeof collect>>,
  owed: number,
  message: string,
): Migrated['meta']['payment'] {
  if (outcome === null) return { state: 'none', message, confirm_url: null };
  return outcome.state === 'declined'
    ? { state: 'declined', message: billing.billingSentences.changedPastDue, confirm_url: null }
    : presentPayment(outcome, `${message} Paid ${formatMoney(owed)}.`);
}

/** The first plan begins with a trial; a later one is charged at once, so it needs a card. */
async function purchase(
  t: TxCtx,
  row: SubscriptionRow,
  identifier: PlanId,
  state: SubscriptionRow['state'],
): Promise<string> {
  const { name, interval } = plans[identifier];
  const isTrial = !row.had_trial;
  if (!isTrial && t.gateways.payments && !row.card_reference) fail('billing.no_card');
  const end = isTrial
    ? new Date(t.now.getTime() + trialDays * 86_400_000)
    : nextPeriodEnd(t.now, interval, t.now, row.clock_moved_days);
  await patchSubscription(
    t.tx,
    t.companyId,
    {
      state,
      state_reason: null,
      plan: identifier,
      had_trial: true,
      subscribed_at: t.now,
      anchor_at: t.now,
      period_start: t.now,
      period_end: end,
      trial_ends_at: isTrial ? end : null,
      ...(isTrial
        ? noUsageMonth
        : usageMonth(identifier, { anchor: t.now, from: t.now }, row.clock_moved_days)),
      cancel_at: null,
      cancel_reason: null,
      cancel_comment: null,
      // Days that were counted until the last plan ended don't count for this one.
      ...noDunning,
    },
    t.now,
  );
  if (isTrial) return `Your trial of ${name} begins.`;
  const invoice = await issueInvoice(t, {
    cause: `purchase:${t.now.toISOString()}`,
    periodStart: t.now,
    periodEnd: end,
    lines: [planLine(identifier)],
  });
  if (row.receives_invoice_emails) await mailInvoice(t, invoice);
  return `You have ${name} now.`;
}

async function changePlan(t: TxCtx, row: SubscriptionRow, identifier: PlanId): Promise<string> {
  const { name } = plans[identifier];
  const running = runningPlan(row, t.now);
  const quote = quoteChange(running, identifier, t.now);
  if (quote.effective === 'period_end') {
    await patchSubscription(
      t.tx,
      t.companyId,
      { pending_plan: identifier, pending_at: quote.effectiveAt },
      t.now,
    );
    return `You change to ${name} when the period ends.`;
  }
  const period = quote.newPeriod;
  const lines = [...quote.lines, ...(await usageUntilChange(t, row, quote))];
  if (lines.length > 0) {
    const invoice = await issueInvoice(t, {
      cause: `change:${running.plan}:${identifier}:${t.now.toISOString()}`,
      periodStart: t.now,
      periodEnd: period?.end ?? running.periodEnd,
      lines,
    });
    if (row.receives_invoice_emails) await mailInvoice(t, invoice);
  }
  await patchSubscription(
    t.tx,
    t.companyId,
    {
      plan: identifier,
      pending_plan: null,
      pending_at: null,
      ...(period && {
        anchor_at: period.start,
        period_start: period.start,
        period_end: period.end,
        ...usageMonth(
          identifier,
          { anchor: period.start, from: period.start },
          row.clock_moved_days,
        ),
      }),
    },
    t.now,
  );
  return `You have ${name} now.`;
}
