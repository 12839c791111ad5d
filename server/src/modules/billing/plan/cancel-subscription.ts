import { billing, type Answer, type Body, type subscription as contract } from '#contract';
import { isUpgrade } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { patchSubscription, type SubscriptionPatch } from '../store-subscription.ts';
import { getSubscription } from '../subscription.ts';
import { requireSold, runningPlan, stepOrFail, subscriptionToChange } from './running-plan.ts';

type Answered = Answer<typeof contract.cancelSubscription>;

const save = async (
  t: TxCtx,
  patch: SubscriptionPatch,
  action: Parameters<typeof audit>[1],
  after: object,
): Promise<Answered> => {
  await patchSubscription(t.tx, t.companyId, patch, t.now);
  await audit(t, action, `company:${t.companyId}`, { after });
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  return getSubscription(t);
};

/**
 * Ends the plan when its period ends. With a smaller plan, it changes to that one then instead. Fails
 * with the sentence of the state table, or `subscription.not_smaller`.
 */
export async function cancelSubscription(
  t: TxCtx,
  { reason, comment, downsell_plan: downsell }: Body<typeof contract.cancelSubscription>,
): Promise<Answered> {
  const row = await subscriptionToChange(t);
  const state = stepOrFail(row, 'cancel');
  const { plan, periodEnd } = runningPlan(row, t.now);
  if (downsell) {
    requireSold(row, downsell);
    if (isUpgrade(plan, downsell)) fail('subscription.not_smaller');
    return save(t, { pending_plan: downsell, pending_at: periodEnd }, 'subscription.plan_changed', {
      plan: downsell,
      at: periodEnd,
      reason,
    });
  }
  return save(
    t,
    {
      state,
      cancel_at: periodEnd,
      cancel_reason: reason,
      cancel_comment: comment ?? null,
      pending_plan: null,
      pending_at: null,
    },
    'subscription.canceled',
    { at: periodEnd, reason },
  );
}

/** Keeps a plan that was set to end. Fails with `subscription.not_ending`. */
export async function clearCancel(t: TxCtx): Promise<Answered> {
  const row = await subscriptionToChange(t);
  const state = stepOrFail(row, 'clear_cancel');
  return save(
    t,
    { state, cancel_at: null, cancel_reason: null, cancel_comment: null },
    'subscription.kept',
    { plan: row.plan },
  );
}

/** Keeps the plan instead of a planned change. Fails with `subscription.nothing_pending`. */
export async function revertPendingChange(t: TxCtx): Promise<Answered> {
  const row = await subscriptionToChange(t);
  if (!row.pending_plan) fail('subscription.nothing_pending');
  return save(t, { pending_plan: null, pending_at: null }, 'subscription.kept', { plan: row.plan });
}
