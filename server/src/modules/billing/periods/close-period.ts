import { billing as contract } from '#contract';
import {
  plans,
  usageComponents,
  type PlanId,
  type PricedUsage,
  type UsageComponent,
} from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { noDunning } from '../dunning/past-due.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { mailInvoice } from '../invoices/mail-invoice.ts';
import type { NewLine } from '../invoices/store-invoices.ts';
import { isIndividual } from '../limits/individual.ts';
import { collectJob } from '../job-kinds.ts';
import {
  lockedSubscription,
  patchSubscription,
  type SubscriptionPatch,
  type SubscriptionRow,
} from '../store-subscription.ts';
import { pricedUsage } from '../usage/read-usage.ts';
import { nextPeriodEnd, noUsageMonth, usageMonth } from './period.ts';

/** A plan for one of its periods, on an invoice. */
export const planLine = (identifier: PlanId): NewLine => {
  const { name, interval, price_cents: cents } = plans[identifier];
  return {
    kind: 'plan',
    description: `${name}, ${interval === 'year' ? 'yearly' : 'monthly'}`,
    component: null,
    used: null,
    quantity: 1,
    unit_cents: cents,
    amount_cents: cents,
  };
};

const usageLine = ({ component, used, overage, overage_cents }: PricedUsage): NewLine => ({
  kind: 'usage',
  description: usageComponents[component].label,
  component,
  used,
  quantity: overage,
  unit_cents: usageComponents[component].unit_cents,
  amount_cents: overage_cents,
});

/**
 * What was used of these components beyond the plan within a time, on an invoice. Individuals can't use
 * more than is included, and what reaches them beyond it is free.
 */
export async function usageLines(
  t: TxCtx,
  row: SubscriptionRow,
  within: { from: Date; to: Date },
  isCharged: (component: UsageComponent) => boolean = () => true,
): Promise<NewLine[]> {
  if (await isIndividual(t)) return [];
  const { priced } = await pricedUsage(t, row, within);
  return priced
    .filter(({ component, overage }) => overage > 0 && isCharged(component))
    .map(usageLine);
}

/**
 * Ends the periods that are over, one after the other: each is invoiced with the usage beyond its
 * plan and the next period of the plan, once. Within a year paid ahead, each month's usage has an
 * invoice of its own. A plan that was set to end ends. False: none was over.
 */
export async function closePeriods(t: TxCtx): Promise<boolean> {
  let row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  let closed = false;
  for (let end = endOver(row, t.now); end; end = endOver(row, t.now)) {
    row =
      end.of === 'usage'
        ? await closeUsageMonth(t, row, end.at)
        : await closePeriod(t, row, end.at);
    closed = true;
  }
  if (!closed) return false;
  await t.enqueue(collectJob, {}, { key: `billing.collect:${t.companyId}` });
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
  return true;
}

/** What is over first: a month of usage, or the period with its last month. Null: neither is. */
function endOver(row: SubscriptionRow, now: Date): { of: 'usage' | 'period'; at: Date } | null {
  if ((row.state !== 'active' && row.state !== 'canceling') || !row.period_end) return null;
  const period = new Date(row.period_end);
  const usage = row.usage_until && new Date(row.usage_until);
  if (usage && usage < period && usage <= now) return { of: 'usage', at: usage };
  return period <= now ? { of: 'period', at: period } : null;
}

/** A time as if the clock of the sandbox had never been moved, so that no cause comes twice. */
const unmoved = (at: Date, { clock_moved_days: days }: SubscriptionRow): string =>
  new Date(at.getTime() + days * 86_400_000).toISOString();

async function closeUsageMonth(
  t: TxCtx,
  row: SubscriptionRow,
  end: Date,
): Promise<SubscriptionRow> {
  const start = new Date(row.usage_from ?? end);
  const lines = await usageLines(t, row, { from: start, to: end });
  if (lines.length > 0) {
    const invoice = await issueInvoice(t, {
      cause: `usage:${unmoved(start, row)}`,
      periodStart: start,
      periodEnd: end,
      lines,
    });
    if (row.receives_invoice_emails) await mailInvoice(t, invoice);
  }
  const next = usageMonth(
    mustBe(row.plan, 'plan of a running subscription'),
    { anchor: new Date(row.anchor_at ?? start), from: end },
    row.clock_moved_days,
  );
  return patchSubscription(t.tx, t.companyId, next, t.now);
}

async function closePeriod(t: TxCtx, row: SubscriptionRow, end: Date): Promise<SubscriptionRow> {
  const start = new Date(row.period_start ?? end);
  const usedSince = new Date(row.usage_from ?? start);
  const isTrial = row.trial_ends_at !== null && new Date(row.trial_ends_at) >= end;
  const step = contract.stepOf(row.state, 'period_end');
  const goesOn = 'to' in step && step.to === 'active';
  const plan = row.pending_plan ?? row.plan;
  const next = goesOn && plan ? nextPeriod(row, plan, end, isTrial) : null;
  // A trial's usage is part of the trial.
  const lines = [
    ...(plan && next ? [planLine(plan)] : []),
    ...(isTrial ? [] : await usageLines(t, row, { from: usedSince, to: end })),
  ];
  if (lines.length > 0) {
    const invoice = await issueInvoice(t, {
      cause: `period:${unmoved(start, row)}`,
      periodStart: next ? end : start,
      periodEnd: next ? next.period_end : end,
      lines,
    });
    if (row.receives_invoice_emails) await mailInvoice(t, invoice);
  }
  return patchSubscription(t.tx, t.companyId, next ?? ended(end), t.now);
}

const ended = (at: Date): SubscriptionPatch => ({
  state: 'expired',
  state_reason: null,
  cancel_at: null,
  trial_ends_at: null,
  period_end: at,
  ...noUsageMonth,
  pending_plan: null,
  pending_at: null,
  ...noDunning,
});

/** The period that follows. The trial's end, and another interval, begin to count anew. */
function nextPeriod(row: SubscriptionRow, plan: PlanId, from: Date, isTrial: boolean) {
  const { interval } = plans[plan];
  const isSame = row.plan !== null && plans[row.plan].interval === interval;
  const anchor = !isTrial && isSame && row.anchor_at ? new Date(row.anchor_at) : from;
  return {
    plan,
    pending_plan: null,
    pending_at: null,
    anchor_at: anchor,
    trial_ends_at: null,
    period_start: from,
    period_end: nextPeriodEnd(anchor, interval, from, row.clock_moved_days),
    ...usageMonth(plan, { anchor, from }, row.clock_moved_days),
  } satisfies SubscriptionPatch;
}
