import { dunningSteps } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { subscriptionOf } from '../store-subscription.ts';

/** Whether the company's numbers are given up: its unpaid plan ended 30 days ago, and it has no other. */
export async function areNumbersForfeited(t: TxCtx): Promise<boolean> {
  const row = await subscriptionOf(t.tx, t.companyId);
  return row?.state === 'expired' && row.dunning_step >= dunningSteps.length;
}
