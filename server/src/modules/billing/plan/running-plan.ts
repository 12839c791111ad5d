import { billing as contract } from '#contract';
import { plans, type PlanId, type SubscriptionEvent } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { lockedSubscription, type SubscriptionRow } from '../store-subscription.ts';
import { requireBilling } from '../subscription.ts';
import type { RunningPlan } from './quote.ts';

/** The plan of a subscription that has one, and its period. Throws where there is none. */
export const runningPlan = (row: SubscriptionRow, now: Date): RunningPlan => ({
  plan: mustBe(row.plan, 'plan of a running subscription'),
  periodStart: new Date(mustBe(row.period_start ?? row.created_at, 'start of its period')),
  periodEnd: new Date(mustBe(row.period_end, 'end of its period')),
  isTrial: row.trial_ends_at !== null && new Date(row.trial_ends_at) > now,
  movedDays: row.clock_moved_days,
});

/** The locked subscription. Fails with `billing.off`. */
export function subscriptionToChange(t: TxCtx): Promise<SubscriptionRow> {
  requireBilling(t);
  return lockedSubscription(t.tx, t.companyId, { now: t.now, provider: t.settings.billing });
}

/** The state that an event leads to. Fails with the sentence of the table where it is refused. */
export function stepOrFail(
  row: SubscriptionRow,
  event: SubscriptionEvent,
): SubscriptionRow['state'] {
  const step = contract.stepOf(row.state, event);
  return 'to' in step ? step.to : fail(step.refused);
}

/** Fails with `subscription.not_sold`, or `subscription.same_plan` for the one that is running. */
export function requireSold(row: SubscriptionRow, identifier: PlanId): void {
  const hasPlan = row.state !== 'expired' && row.state !== 'not_subscribed';
  if (hasPlan && row.plan === identifier) fail('subscription.same_plan');
  if (!plans[identifier].is_public) fail('subscription.not_sold');
}
