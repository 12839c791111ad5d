import { billing as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import type { ChargeOutcome } from '../../../gateways/payments.ts';
import { balanceOf, insertEntry } from '../ledger/store-ledger.ts';
import { becomePastDue, bePaid } from '../dunning/past-due.ts';
import { lockedSubscription, type SubscriptionRow } from '../store-subscription.ts';
import { settleAttempt, type PaymentAttempt } from './store-payments.ts';

/**
 * Stores what became of a charge: the payment in the books, and the state it leads to. Whoever comes
 * second changes nothing.
 */
export async function storeOutcome(
  t: TxCtx,
  attempt: PaymentAttempt,
  outcome: ChargeOutcome,
): Promise<void> {
  const row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  const settled = await settleAttempt(t.tx, attempt, {
    state: outcome.state,
    reason: outcome.state === 'declined' ? outcome.reason : null,
    provider_reference: outcome.state === 'declined' ? null : outcome.reference,
    settled_at: outcome.state === 'confirm' ? null : t.now,
  });
  if (!settled || outcome.state === 'confirm') return;
  if (outcome.state === 'paid') await recordPayment(t, row, settled);
  else await recordDecline(t, row, settled, outcome.reason);
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
}

async function recordPayment(
  t: TxCtx,
  row: SubscriptionRow,
  attempt: PaymentAttempt,
): Promise<void> {
  await insertEntry(t.tx, t.companyId, {
    cause: `payment:${attempt.id}`,
    kind: 'payment',
    amountCents: -attempt.amount_cents,
    currency: attempt.currency,
    description: `Card ending in ${attempt.card_last4}`,
    at: t.now,
  });
  await audit(t, 'billing.paid', `payment:${attempt.id}`, {
    after: { amount_cents: attempt.amount_cents, card: attempt.card_last4 },
  });
  if ((await balanceOf(t.tx, t.companyId)) > 0) return;
  await bePaid(t, row);
}

async function recordDecline(
  t: TxCtx,
  row: SubscriptionRow,
  attempt: PaymentAttempt,
  reason: string,
): Promise<void> {
  await audit(t, 'billing.payment_failed', `payment:${attempt.id}`, {
    after: { amount_cents: attempt.amount_cents, card: attempt.card_last4, reason },
  });
  await becomePastDue(t, row, reason);
}
