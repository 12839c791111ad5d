import { billing as contract, type Answer, type Body } from '#contract';
import { billingSentences, parseExpiry } from '#contract/billing/rules';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail, invalid } from '../../platform/errors.ts';
import type { PaymentProvider, SavedCard } from '../../gateways/payments.ts';
import { companyBilling } from './company-billing.ts';
import { balanceOf } from './ledger/store-ledger.ts';
import {
  intendCharge,
  knownCharge,
  requireProvider,
  runCharge,
} from './payments/charge-balance.ts';
import { presentPayment } from './payments/retry-payment.ts';
import { storeOutcome } from './payments/store-outcome.ts';
import { openAttempt, type PaymentAttempt } from './payments/store-payments.ts';
import { lockedSubscription, patchSubscription, saveDetails } from './store-subscription.ts';
import { requireBilling } from './subscription.ts';

type Given = Body<typeof contract.updateCompanyBilling>;
type Payment = Answer<typeof contract.updateCompanyBilling>['meta']['payment'];

/**
 * Saves the address and a new card. What is owed is charged to the new card; a charge that waited on
 * the old one is given up first. Fails with `billing.card_declined` when the card is refused, and
 * saves nothing then.
 */
export async function updateCompanyBilling(
  ctx: Ctx,
  body: Given,
): Promise<Answer<typeof contract.updateCompanyBilling>> {
  requireBilling(ctx);
  const token = tokenIn(ctx, body);
  const saved = token === null ? null : await acceptedCard(ctx, requireProvider(ctx), token);
  await ctx.transaction((t) => store(t, body, saved));
  const payment = saved
    ? await chargeNewCard(ctx, requireProvider(ctx))
    : { state: 'none' as const, message: 'Saved.', confirm_url: null };
  const { data } = await ctx.readOnly((t) => companyBilling(t));
  return { data, meta: { payment } };
}

/** The token of the card field, or of a test card; null: no card was given. */
function tokenIn(ctx: Ctx, body: Given): string | null {
  if (body.payment_token) return body.payment_token;
  if (body.cc_number === undefined) {
    if (body.cc_exp !== undefined || body.cc_cvc !== undefined) fail('billing.card_token');
    return null;
  }
  const provider = ctx.gateways.payments ?? fail('billing.card_number');
  const expiry = parseExpiry(body.cc_exp ?? '', ctx.now);
  if (!expiry) invalid({ cc_exp: 'Enter the month and year the card ends, such as 09/29.' });
  const card = { number: body.cc_number, expMonth: expiry.month, expYear: expiry.year };
  return provider.tokenOfTestCard(ctx.companyId, card, ctx.now) ?? fail('billing.card_number');
}

async function acceptedCard(
  ctx: Ctx,
  provider: PaymentProvider,
  token: string,
): Promise<SavedCard> {
  const saved = await provider.saveCard(ctx.companyId, token, ctx.now);
  if (saved === 'unknown') fail('billing.card_token');
  if ('refused' in saved) fail('billing.card_declined', {}, { reason: saved.refused });
  return saved;
}

/** Fields of the address in the request, by their columns. */
const columns = {
  billing_name: 'name',
  billing_address: 'address',
  billing_address_2: 'address_2',
  billing_city: 'city',
  billing_state: 'state',
  billing_zip: 'zip',
  billing_country: 'country',
} as const;

async function store(t: TxCtx, body: Given, saved: SavedCard | null): Promise<void> {
  const before = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  const details = Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = body[field as keyof typeof columns];
      return value === undefined ? [] : [[column, value]];
    }),
  );
  if (Object.keys(details).length > 0) {
    await saveDetails(t.tx, t.companyId, details, t.now);
    await audit(t, 'billing.details_changed', `company:${t.companyId}`, { after: details });
  }
  if (saved) {
    const { brand, last4, expMonth, expYear } = saved.card;
    await patchSubscription(
      t.tx,
      t.companyId,
      {
        card_reference: saved.reference,
        card_brand: brand,
        card_last4: last4,
        card_exp_month: expMonth,
        card_exp_year: expYear,
      },
      t.now,
    );
    await audit(t, 'billing.card_changed', `company:${t.companyId}`, {
      before: { last4: before.card_last4 },
      after: { brand, last4 },
    });
  }
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
}

/** Charges what is owed to the card that was just saved. */
async function chargeNewCard(ctx: Ctx, provider: PaymentProvider): Promise<Payment> {
  const waiting = await ctx.readOnly((t) => openAttempt(t.tx, t.companyId));
  if (waiting) await giveUp(ctx, provider, waiting);
  const attempt = await ctx.transaction(async (t) =>
    (await balanceOf(t.tx, t.companyId)) >= provider.leastCents ? intendCharge(t, provider) : null,
  );
  if (!attempt) return { state: 'none', message: billingSentences.saved, confirm_url: null };
  const outcome = await runCharge(ctx, provider, attempt);
  return outcome.state === 'declined'
    ? { state: 'declined', message: billingSentences.savedPastDue, confirm_url: null }
    : presentPayment(outcome, billingSentences.savedPaid);
}

async function giveUp(ctx: Ctx, provider: PaymentProvider, attempt: PaymentAttempt): Promise<void> {
  // One whose answer was lost is asked for again, so that none is paid unseen.
  const found = attempt.state === 'pending' ? await runCharge(ctx, provider, attempt) : null;
  if (found && found.state !== 'confirm') return;
  const given = await provider.cancelCharge({
    ...knownCharge(attempt),
    ...(found && { reference: found.reference }),
  });
  if (given) await ctx.transaction((t) => storeOutcome(t, attempt, given));
}
