import { fail } from '../../../platform/errors.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { ChargeOutcome, KnownCharge, PaymentProvider } from '../../../gateways/payments.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { settlePaymentJob } from '../job-kinds.ts';
import { lockedSubscription } from '../store-subscription.ts';
import { storeOutcome } from './store-outcome.ts';
import { insertAttempt, openAttempt, type PaymentAttempt } from './store-payments.ts';

/** By this the provider knows a charge: asked twice, it is charged once. */
const chargeKey = ({ company_id: companyId, id }: PaymentAttempt): string =>
  `trunkline-${companyId}-${id}`;
/** The company and the charge of a `chargeKey`; null: it is none. */
export function readChargeKey(key: string): { companyId: number; attemptId: number } | null {
  const [, companyId, attemptId] = /^trunkline-(\d{1,15})-(\d{1,15})$/.exec(key) ?? [];
  return attemptId ? { companyId: Number(companyId), attemptId: Number(attemptId) } : null;
}
/** A charge as its provider knows it. */
export const knownCharge = (attempt: PaymentAttempt): KnownCharge => ({
  key: chargeKey(attempt),
  reference: attempt.provider_reference,
});

/** The payment provider. Fails with `billing.off`, or `billing.by_invoice` where there is none. */
export function requireProvider(ctx: Ctx): PaymentProvider {
  if (ctx.settings.billing === 'off') fail('billing.off');
  return ctx.gateways.payments ?? fail('billing.by_invoice');
}

/** Seconds after which a job asks again, if whoever asked first is gone. */
const askAgainSeconds = 60;

/**
 * Stores the intent to charge what is owed. Fails with `subscription.nothing_due` or
 * `billing.no_card`. A charge that isn't settled yet is returned instead of a new one.
 */
export async function intendCharge(t: TxCtx, provider: PaymentProvider): Promise<PaymentAttempt> {
  const mode = t.settings.billing;
  const row = await lockedSubscription(t.tx, t.companyId, { now: t.now, provider: mode });
  const open = await openAttempt(t.tx, t.companyId);
  if (open) return open;
  const owed = await balanceOf(t.tx, t.companyId);
  if (owed < provider.leastCents) fail('subscription.nothing_due');
  if (!row.card_reference || !row.card_last4) fail('billing.no_card');
  const attempt =
    (await insertAttempt(t.tx, t.companyId, {
      amount_cents: owed,
      currency: 'USD',
      provider: provider.name,
      card_reference: row.card_reference,
      card_last4: row.card_last4,
      created_at: t.now,
    })) ?? fail('billing.paying');
  await t.enqueue(
    settlePaymentJob,
    { attemptId: attempt.id },
    { delayMs: askAgainSeconds * 1000, key: `billing.settle:${t.companyId}:${attempt.id}` },
  );
  return attempt;
}

/** Asks the provider for a charge that was stored, or what became of it, and stores the answer. */
export async function runCharge(
  ctx: Ctx,
  provider: PaymentProvider,
  attempt: PaymentAttempt,
): Promise<ChargeOutcome> {
  const known = attempt.state === 'confirm' ? await provider.getCharge(knownCharge(attempt)) : null;
  const outcome =
    known ??
    (await provider.charge({
      key: chargeKey(attempt),
      firstAskedAt: new Date(attempt.created_at),
      cardReference: attempt.card_reference,
      amountCents: attempt.amount_cents,
      currency: attempt.currency,
    }));
  await ctx.transaction((t) => storeOutcome(t, attempt, outcome));
  return outcome;
}
