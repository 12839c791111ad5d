import { billing as contract } from '#contract';
import { dayOfStep, dunningSteps } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { setSuspended } from '../../companies/index.ts';
import {
  patchSubscription,
  type SubscriptionPatch,
  type SubscriptionRow,
} from '../store-subscription.ts';

/** No step is due. */
export const noDunning = {
  dunning_since: null,
  dunning_step: 0,
  dunning_next_at: null,
} satisfies SubscriptionPatch;

/**
 * A charge failed: the account is past due, and its days are counted from the first such charge.
 * Nothing happens in a state that has nothing to pay.
 */
export async function becomePastDue(t: TxCtx, row: SubscriptionRow, reason: string): Promise<void> {
  const step = contract.stepOf(row.state, 'charge_failed');
  if ('refused' in step) return;
  const isNew = row.dunning_since === null;
  await patchSubscription(
    t.tx,
    t.companyId,
    {
      state: step.to,
      state_reason: reason,
      past_due_since: row.past_due_since ?? t.now,
      ...(isNew && {
        dunning_since: t.now,
        dunning_step: 0,
        dunning_next_at: dayOfStep(t.now, dunningSteps[0].day),
      }),
    },
    t.now,
  );
}

/**
 * Nothing is owed any more: the account works again. A plan that ended stays ended, and the days
 * until its numbers are given up go on until one is chosen.
 */
export async function bePaid(t: TxCtx, row: SubscriptionRow): Promise<void> {
  const step = contract.stepOf(row.state, 'paid');
  const state = 'to' in step ? step.to : row.state;
  await patchSubscription(
    t.tx,
    t.companyId,
    {
      past_due_since: null,
      ...('to' in step && { state, state_reason: null }),
      // Paying what was owed keeps the plan, also where it was set to end.
      ...(state === 'active' && { cancel_at: null, cancel_reason: null, cancel_comment: null }),
      ...(state !== 'expired' && noDunning),
    },
    t.now,
  );
  await setSuspended(t, false);
}
