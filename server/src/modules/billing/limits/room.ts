import { formatMoney } from '#contract';
import {
  planComponents,
  plans,
  priceUsage,
  usageComponents,
  type PlanComponent,
  type UsageComponent,
} from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { subscriptionOf, type SubscriptionRow } from '../store-subscription.ts';
import { currentPeriod, usedQuantities } from '../usage/read-usage.ts';
import { individualAllowance } from './individual.ts';
import { spendLimitOf } from './spend-limit.ts';
import { reservedOf } from './store-reservations.ts';

type Where = Pick<TxCtx, 'tx' | 'companyId' | 'now' | 'settings'>;
type Quantities = Partial<Record<UsageComponent, number>>;

/** Why nothing more can be used, with the facts of its sentence. */
export type RoomProblem =
  | { code: 'subscription.ended'; facts: Record<string, never> }
  | { code: 'plan.trial_limit' | 'plan.limit'; facts: { included: number; what: string } }
  | { code: 'plan.spend_limit'; facts: { limit: string } }
  | { code: 'plan.used_up'; facts: { included: number; what: string; date: string } };

interface Wish {
  /** Whose reservation this wish is part of; it doesn't count twice. */
  cause?: string;
  /** How much is held now, where that is known better than by usage: numbers being bought count. */
  held?: Quantities;
}

const isInTrial = (row: SubscriptionRow, now: Date): boolean =>
  row.trial_ends_at !== null && new Date(row.trial_ends_at) > now;

/** The plan whose limits hold; null: none do, as without billing and before a first plan. */
async function limitedBy(t: Where): Promise<SubscriptionRow | null> {
  if (t.settings.billing === 'off') return null;
  const row = await subscriptionOf(t.tx, t.companyId);
  return !row?.plan || row.state === 'not_subscribed' ? null : row;
}

const named = (component: PlanComponent): string => planComponents[component].toLowerCase();

/**
 * Why so much more of a component can't be used: the plan ended, the trial includes no more (what
 * is used in it isn't charged), or the company's spending limit is reached. Null: it can.
 */
export async function roomProblem(
  t: Where,
  component: UsageComponent,
  more: number,
  { cause, held = {} }: Wish = {},
): Promise<RoomProblem | null> {
  const ofIndividual = await individualProblem(t, component, more);
  if (ofIndividual !== undefined) return ofIndividual;
  const row = await limitedBy(t);
  if (!row?.plan) return null;
  if (row.state === 'expired') return { code: 'subscription.ended', facts: {} };
  const plan = plans[row.plan];
  const isTrial = isInTrial(row, t.now);
  const limit = isTrial ? null : spendLimitOf((await companyRow(t.tx, t.companyId))?.settings);
  const { draws } = usageComponents[component];
  const included = draws === null ? null : plan.included[draws];
  if (isTrial ? included === null : limit === null) return null;
  const used: Quantities = {
    ...(await usedQuantities(t, currentPeriod(row, t.now))),
    ...held,
  };
  for (const one of await reservedOf(t.tx, t.companyId, cause ?? null))
    used[one.component] = (used[one.component] ?? 0) + one.quantity;
  const wished = { ...used, [component]: (used[component] ?? 0) + more };
  if (isTrial && draws !== null && included !== null)
    return drawn(wished, draws) > included
      ? { code: 'plan.trial_limit', facts: { included, what: named(draws) } }
      : null;
  const [before, after] = [used, wished].map((quantities) =>
    priceUsage(plan, quantities).reduce((sum, one) => sum + one.overage_cents, 0),
  ) as [number, number];
  return limit !== null && after > limit && after > before
    ? { code: 'plan.spend_limit', facts: { limit: formatMoney(limit) } }
    : null;
}

/**
 * Why an individual can't use so much more: their allowance is used up. Null: they can; undefined:
 * the company is no individual's. Their numbers are counted by Caddy.
 */
async function individualProblem(
  t: Where,
  component: UsageComponent,
  more: number,
): Promise<RoomProblem | null | undefined> {
  const row = await subscriptionOf(t.tx, t.companyId);
  const allowance = await individualAllowance(t, row);
  if (!allowance) return undefined;
  const { draws } = usageComponents[component];
  const included = draws === null ? null : (allowance[draws] ?? null);
  if (draws === null || included === null) return null;
  const period = currentPeriod(row, t.now);
  const used = await usedQuantities(t, period);
  const wished = { ...used, [component]: (used[component] ?? 0) + more };
  if (drawn(wished, draws) <= included) return null;
  const date = period.to.toLocaleDateString('en-US', {
    ...{ month: 'long', day: 'numeric', timeZone: 'UTC' },
  });
  return { code: 'plan.used_up', facts: { included, what: named(draws), date } };
}

/** All that draws on the same allowance. */
const drawn = (quantities: Quantities, pool: PlanComponent): number =>
  Object.entries(quantities).reduce(
    (sum, [name, n]) => (usageComponents[name as UsageComponent].draws === pool ? sum + n : sum),
    0,
  );

/** Fails with the sentence that names the limit, where so much more can't be used. */
export async function requireRoom(
  t: Where,
  component: UsageComponent,
  more: number,
  wish: Wish = {},
): Promise<void> {
  const problem = await roomProblem(t, component, more, wish);
  if (problem) fail(problem.code, problem.facts);
}

/**
 * Fails with `plan.limit` where the plan includes no more of what isn't sold piece by piece, such as
 * tracking pools.
 */
export async function requireIncluded(
  t: Where,
  component: PlanComponent,
  wanted: number,
): Promise<void> {
  const row = await limitedBy(t);
  if (!row?.plan) return;
  if (row.state === 'expired') fail('subscription.ended');
  const included = plans[row.plan].included[component];
  if (included !== null && wanted > included)
    fail('plan.limit', { included, what: named(component) });
}
