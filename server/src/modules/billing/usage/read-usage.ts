import type { Answer, subscription as contract } from '#contract';
import {
  plans,
  priceUsage,
  usageComponentNames,
  usageComponents as components,
  type PricedUsage,
  type UsageComponent,
} from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow, countMembers } from '../../companies/index.ts';
import { spendLimitOf } from '../limits/spend-limit.ts';
import { nextPeriodEnd } from '../periods/period.ts';
import { subscriptionOf, type SubscriptionRow } from '../store-subscription.ts';
import { taxOfAccount, withTax } from '../tax/tax-of-account.ts';
import { heldAt, storedGigabytes, usedByDay, usedIn } from './store-usage.ts';

interface Period {
  from: Date;
  to: Date;
}

const levels = usageComponentNames.filter((name) => components[name].level);

/**
 * The time in which usage is counted now: the subscription's period, its month where it is paid by
 * the year, or the calendar month (UTC) without one.
 */
export function currentPeriod(row: SubscriptionRow | undefined, now: Date): Period {
  if (row?.usage_from && row.usage_until)
    return { from: new Date(row.usage_from), to: new Date(row.usage_until) };
  if (row?.period_start && row.period_end)
    return { from: new Date(row.period_start), to: new Date(row.period_end) };
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return { from, to: nextPeriodEnd(from, 'month', from) };
}

type Where = Pick<TxCtx, 'tx' | 'companyId'>;

/** What was used in a period, without people: quantities as they are charged. */
export async function usedQuantities(
  t: Where,
  period: Period,
): Promise<Partial<Record<UsageComponent, number>>> {
  return (await readUsed(t, period)).quantities;
}

async function readUsed(t: Where, period: Period) {
  const used = await usedIn(t.tx, t.companyId, period);
  const held = await heldAt(t.tx, t.companyId, levels, period.to);
  const quantities = Object.fromEntries(
    usageComponentNames.map((name) => [
      name,
      components[name].level ? (held.get(name) ?? 0) : (used.get(name)?.quantity ?? 0),
    ]),
  );
  return { used, quantities };
}

/** What was used in a period, each component as it is charged, and what it costs beyond the plan. */
export async function pricedUsage(
  t: Where,
  row: SubscriptionRow | undefined,
  period: Period,
): Promise<{ priced: PricedUsage[]; seconds: Map<UsageComponent, number | null> }> {
  const { used, quantities } = await readUsed(t, period);
  const isSubscribed = row?.plan && row.state !== 'expired' && row.state !== 'not_subscribed';
  const seats = await countMembers(t.tx, t.companyId);
  const storage_gb = await storedGigabytes(t.tx, t.companyId);
  return {
    priced: priceUsage(isSubscribed && row.plan ? plans[row.plan] : null, {
      ...{ ...quantities, seats, storage_gb },
    }),
    seconds: new Map(usageComponentNames.map((name) => [name, used.get(name)?.seconds ?? null])),
  };
}

/** What was used in the current period, component by component and by day. */
export async function usageComponents(t: TxCtx): Promise<Answer<typeof contract.usageComponents>> {
  const row = await subscriptionOf(t.tx, t.companyId);
  const period = currentPeriod(row, t.now);
  const { priced, seconds } = await pricedUsage(t, row, period);
  const days = await usedByDay(t.tx, t.companyId, period);
  return {
    data: priced.map(({ component, used, included, overage, overage_cents }) => ({
      key: component,
      label: components[component].label,
      unit: components[component].unit,
      included,
      used,
      seconds: seconds.get(component) ?? null,
      remaining: included === null ? null : Math.max(0, included - used),
      overage_qty: overage,
      overage_cents,
      unit_cents: components[component].unit_cents,
      period_start: period.from.toISOString(),
      period_end: period.to.toISOString(),
      series: days
        .filter((day) => day.component === component)
        .map(({ date, qty }) => ({ date, qty })),
    })),
  };
}

/** Minutes, credits and numbers in three figures, and what the next invoice will be. */
export async function usageSimple(t: TxCtx): Promise<Answer<typeof contract.usageSimple>> {
  const row = await subscriptionOf(t.tx, t.companyId);
  const { priced } = await pricedUsage(t, row, currentPeriod(row, t.now));
  const plan = row?.plan && row.state !== 'expired' ? plans[row.plan] : null;
  const sumOf = (pool: 'voice_minutes' | 'text_credits' | 'numbers') => ({
    used: priced
      .filter(({ component }) => components[component].draws === pool)
      .reduce((sum, { used }) => sum + used, 0),
    included: plan ? plan.included[pool] : null,
  });
  // Within a year paid ahead, the next invoice has only what was used beyond the plan.
  const isLastMonth =
    !row?.usage_until || !row.period_end || new Date(row.usage_until) >= new Date(row.period_end);
  const next =
    row?.state === 'active' && isLastMonth
      ? plans[row.pending_plan ?? row.plan ?? 'starter']
      : null;
  const isTrial = row?.trial_ends_at != null && new Date(row.trial_ends_at) > t.now;
  const overage = isTrial ? 0 : priced.reduce((sum, { overage_cents }) => sum + overage_cents, 0);
  const { totalCents, taxCents } = withTax(
    (next?.price_cents ?? 0) + overage,
    await taxOfAccount(t),
  );
  return {
    data: {
      voice_minutes: sumOf('voice_minutes'),
      text_credits: sumOf('text_credits'),
      numbers: sumOf('numbers'),
      estimated_total_cents: totalCents,
      estimated_tax_cents: taxCents,
      spend: {
        cents: overage,
        limit_cents: spendLimitOf((await companyRow(t.tx, t.companyId))?.settings),
      },
    },
  };
}
