import type { Answer, subscription as contract } from '#contract';
import {
  featuresLost,
  planComponentNames,
  plans,
  usageComponents,
  type PlanId,
} from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { sumMoney } from '../../../platform/money.ts';
import type { NewLine } from '../invoices/store-invoices.ts';
import { usageLines } from '../periods/close-period.ts';
import { nextPeriodEnd } from '../periods/period.ts';
import { presentPlan } from '../present.ts';
import type { SubscriptionRow } from '../store-subscription.ts';
import { taxOfAccount, withTax, type AccountTax } from '../tax/tax-of-account.ts';
import { currentPeriod, pricedUsage } from '../usage/read-usage.ts';
import { quoteChange, type Quote } from './quote.ts';
import { requireSold, runningPlan, stepOrFail, subscriptionToChange } from './running-plan.ts';

type Preview = Answer<typeof contract.previewMigration>['data'];

/** Whether the state has a plan that can change; otherwise one is bought. */
export const hasPlan = (row: SubscriptionRow): boolean =>
  row.state !== 'expired' && row.state !== 'not_subscribed';

/** What a change to this plan would mean. Fails as the change itself would. Changes nothing. */
export async function previewMigration(
  t: TxCtx,
  identifier: PlanId,
): Promise<Answer<typeof contract.previewMigration>> {
  const row = await subscriptionToChange(t);
  stepOrFail(row, hasPlan(row) ? 'change_plan' : 'purchase');
  requireSold(row, identifier);
  return { data: await previewOf(t, row, identifier) };
}

/** What a change to a plan would mean, for a company that may change to it. */
export async function previewOf(
  t: TxCtx,
  row: SubscriptionRow,
  identifier: PlanId,
): Promise<Preview> {
  const to = plans[identifier];
  const tax = await taxOfAccount(t);
  const shared = {
    plan: presentPlan(identifier),
    new_price_cents: to.price_cents,
    over_limit: await overLimit(t, row, identifier),
  };
  const firstCents = row.had_trial ? to.price_cents : 0;
  if (!hasPlan(row))
    return {
      ...shared,
      ...chargeNow(firstCents, tax),
      plan_cents: firstCents,
      usage_cents: 0,
      credit_cents: 0,
      effective: 'now',
      effective_at: t.now.toISOString(),
      lost_features: [],
    };
  const running = runningPlan(row, t.now);
  const quote = quoteChange(running, identifier, t.now);
  const quoted = sumMoney(quote.lines.map((line) => line.amount_cents));
  const used = await usageUntilChange(t, row, quote);
  const usageCents = sumMoney(used.map((line) => line.amount_cents));
  return {
    ...shared,
    ...chargeNow(Math.max(0, quoted + usageCents), tax),
    plan_cents: quoted + quote.creditCents,
    usage_cents: usageCents,
    credit_cents: quote.creditCents,
    effective: quote.effective,
    effective_at: quote.effectiveAt.toISOString(),
    lost_features: featuresLost(running.plan, identifier),
  };
}

const chargeNow = (cents: number, tax: AccountTax) => {
  const { totalCents, taxCents } = withTax(cents, tax);
  return { charge_now_cents: totalCents, tax_cents: taxCents };
};

/**
 * What was used beyond the plan until a change that begins a period of its own. What is held by the
 * month, such as numbers, is charged with the month that begins.
 */
export async function usageUntilChange(
  t: TxCtx,
  row: SubscriptionRow,
  { newPeriod }: Quote,
): Promise<NewLine[]> {
  if (!newPeriod) return [];
  const { from } = currentPeriod(row, t.now);
  return usageLines(t, row, { from, to: t.now }, (component) => !usageComponents[component].level);
}

/** What the company uses beyond a plan, by what the plan counts. */
async function overLimit(
  t: TxCtx,
  row: SubscriptionRow,
  identifier: PlanId,
): Promise<Preview['over_limit']> {
  const now = currentPeriod(row, t.now);
  const period = now.to > t.now ? now : { from: t.now, to: nextPeriodEnd(t.now, 'month', t.now) };
  const { priced } = await pricedUsage(t, row, period);
  return planComponentNames.flatMap((component) => {
    const included = plans[identifier].included[component];
    const used = priced
      .filter((one) => usageComponents[one.component].draws === component)
      .reduce((sum, one) => sum + one.used, 0);
    return included !== null && used > included ? [{ component, used, included }] : [];
  });
}
