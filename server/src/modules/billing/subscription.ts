import { billing as contract, type Answer, type Body, type subscription as calls } from '#contract';
import { plans } from '#contract/billing/rules';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { balanceOf } from './ledger/store-ledger.ts';
import { presentPlan, presentSubscription } from './present.ts';
import { taxOfAccount } from './tax/tax-of-account.ts';
import {
  lockedSubscription,
  patchSubscription,
  subscriptionOf,
  type SubscriptionRow,
} from './store-subscription.ts';

/** Fails with `billing.off` where there are no plans. */
export const requireBilling = ({ settings }: Pick<Ctx, 'settings'>): void => {
  if (settings.billing === 'off') fail('billing.off');
};

/** The subscription as screens read it. */
const subscriptionNow = async (
  t: TxCtx,
  row: SubscriptionRow | undefined,
): Promise<Answer<typeof calls.getSubscription>> => ({
  data: presentSubscription(t.companyId, row, await balanceOf(t.tx, t.companyId), {
    now: t.now,
    mode: t.settings.billing,
    tax: await taxOfAccount(t),
  }),
});

/** The company's plan and its state. */
export async function getSubscription(t: TxCtx): Promise<Answer<typeof calls.getSubscription>> {
  requireBilling(t);
  return subscriptionNow(t, await subscriptionOf(t.tx, t.companyId));
}

/** Whether invoices are mailed. */
export async function updateSubscription(
  t: TxCtx,
  { receivesInvoiceEmails }: Body<typeof calls.updateSubscription>,
): Promise<Answer<typeof calls.updateSubscription>> {
  requireBilling(t);
  const before = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  if (before.receives_invoice_emails === receivesInvoiceEmails) return subscriptionNow(t, before);
  const row = await patchSubscription(
    t.tx,
    t.companyId,
    { receives_invoice_emails: receivesInvoiceEmails },
    t.now,
  );
  await audit(t, 'subscription.mails_changed', `company:${t.companyId}`, {
    before: { receivesInvoiceEmails: !receivesInvoiceEmails },
    after: { receivesInvoiceEmails },
  });
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
  return subscriptionNow(t, row);
}

/** The plans that are sold, and the company's own if it no longer is. */
export async function listPlans(t: TxCtx): Promise<Answer<typeof calls.listPlans>> {
  requireBilling(t);
  const own = (await subscriptionOf(t.tx, t.companyId))?.plan;
  return {
    data: Object.values(plans)
      .filter((plan) => plan.is_public || plan.identifier === own)
      .map(({ identifier }) => presentPlan(identifier)),
  };
}
