import Stripe from 'stripe';
import { fail } from '../../platform/errors.ts';
import type {
  ChargeOrder,
  ChargeOutcome,
  KnownCharge,
  PaymentProvider,
} from '../../gateways/payments.ts';
import { ifUnknown, openPage, partsOf, readCard } from './cards.ts';
import { paymentNames } from '../shared/payment-names.ts';

interface StripeAccount {
  secretKey: string;
  webhookSecret: string | null;
  /** Origin of a stand-in; null: Stripe's own. */
  apiUrl: string | null;
}

/** Stripe's smallest charge in US dollars (its list of minimum amounts). */
const leastCents = 50;
/** How long Stripe surely knows an idempotency key: it may forget one after 24 hours. */
const keyKnownMs = 20 * 3_600_000;
/** How old a report may be, in seconds: Stripe's own recommendation. */
const reportMaxAge = 300;

/** What a payment came to. Throws while Stripe is still at it: it is asked again. */
function outcomeOf(payment: Stripe.PaymentIntent): ChargeOutcome {
  if (payment.status === 'succeeded') return { state: 'paid', reference: payment.id };
  const url = payment.next_action?.redirect_to_url?.url;
  if (payment.status === 'requires_action' && url)
    return { state: 'confirm', reference: payment.id, url };
  if (payment.status === 'canceled')
    return { state: 'declined', reason: 'The payment was given up.' };
  if (payment.status === 'requires_payment_method')
    return { state: 'declined', reason: reasonOf(payment.last_payment_error?.message) };
  throw new Error(`Stripe is still at a payment: ${payment.status}.`);
}
const reasonOf = (sentence: string | undefined): string => sentence ?? 'The card was declined.';

/** Asks Stripe. Fails with `billing.unreachable` when no answer came, or not to us. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (
      error instanceof Stripe.errors.StripeConnectionError ||
      error instanceof Stripe.errors.StripeAPIError ||
      error instanceof Stripe.errors.StripeRateLimitError ||
      error instanceof Stripe.errors.StripeAuthenticationError ||
      error instanceof Stripe.errors.StripePermissionError
    )
      fail('billing.unreachable', {}, { cause: error });
    throw error;
  }
}

/** Payments through an account at Stripe. `publicUrl`: origin that its pages lead back to. */
export function stripePayments(account: StripeAccount, publicUrl: string): PaymentProvider {
  const stripe = connect(account);
  const names = paymentNames(publicUrl);
  const findCharge = (charge: KnownCharge) => ask(() => find(stripe, names.of(charge.key), charge));
  return {
    name: 'stripe',
    leastCents,
    openCardEntry: (companyId, options) =>
      ask(() => openPage(stripe, names.ofCompany(companyId), options)),
    saveCard: (companyId, token) => ask(() => readCard(stripe, names.ofCompany(companyId), token)),
    tokenOfTestCard: () => null,
    charge: (order) =>
      ask(() => charge(stripe, names.of(order.key), order, `${publicUrl}/settings/billing?paid=1`)),
    cancelCharge: async (known) => {
      const found = await findCharge(known);
      if (!found) return null;
      const waits = found.status !== 'succeeded' && found.status !== 'canceled';
      return outcomeOf(waits ? await ask(() => stripe.paymentIntents.cancel(found.id)) : found);
    },
    refund: async ({ key, charge: known, amountCents }) => {
      const found = await findCharge(known);
      if (!found) return { state: 'refused', reason: 'Stripe doesn’t know this charge.' };
      return ask(() => refund(stripe, names.of(key), { payment: found.id, amountCents }));
    },
    getCharge: async (known) => {
      const found = await findCharge(known);
      return found && outcomeOf(found);
    },
    webhook: account.webhookSecret
      ? {
          path: '/webhooks/stripe',
          read: (body, headers) =>
            readReport(
              stripe,
              account.webhookSecret ?? '',
              body,
              headers['stripe-signature'],
              names,
            ),
        }
      : null,
  };
}

function connect({ secretKey, apiUrl }: StripeAccount): Stripe {
  const own = apiUrl === null ? null : new URL(apiUrl);
  return new Stripe(secretKey, {
    ...(own && {
      host: own.hostname,
      port: own.port || (own.protocol === 'http:' ? 80 : 443),
      protocol: own.protocol === 'http:' ? 'http' : 'https',
    }),
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    appInfo: { name: 'Trunkline' },
  });
}

/** A payment of ours; undefined: there is none. By its name it is found about a minute after it was made. */
async function find(
  stripe: Stripe,
  name: string,
  { reference }: Pick<KnownCharge, 'reference'>,
): Promise<Stripe.PaymentIntent | null> {
  if (reference) return (await stripe.paymentIntents.retrieve(reference).catch(ifUnknown)) ?? null;
  const { data } = await stripe.paymentIntents.search({
    query: `metadata['key']:'${name}'`,
    limit: 1,
  });
  return data[0] ?? null;
}

async function charge(
  stripe: Stripe,
  name: string,
  order: ChargeOrder,
  returnUrl: string,
): Promise<ChargeOutcome> {
  const isOld = Date.now() - order.firstAskedAt.getTime() > keyKnownMs;
  const before = isOld ? await find(stripe, name, { reference: null }) : null;
  if (before) return outcomeOf(before);
  const { customer, method } = partsOf(order.cardReference);
  try {
    return outcomeOf(
      await stripe.paymentIntents.create(
        {
          amount: order.amountCents,
          currency: order.currency.toLowerCase(),
          customer,
          payment_method: method,
          allowed_payment_method_types: ['card'],
          // The person isn't there: a bank that wants to hear from them says so.
          off_session: true,
          confirm: true,
          metadata: { key: name },
        },
        { idempotencyKey: name },
      ),
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      return { state: 'declined', reason: 'This card no longer works. Add it again.' };
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    const refused = error.payment_intent;
    if (error.code === 'authentication_required' && refused)
      return outcomeOf(
        await stripe.paymentIntents.confirm(
          refused.id,
          { payment_method: method, return_url: returnUrl },
          { idempotencyKey: `${name}-confirm` },
        ),
      );
    return { state: 'declined', reason: reasonOf(error.message) };
  }
}

async function refund(
  stripe: Stripe,
  name: string,
  { payment, amountCents }: { payment: string; amountCents: number },
): Promise<{ state: 'refunded' } | { state: 'refused'; reason: string }> {
  try {
    const { status, failure_reason: why } = await stripe.refunds.create(
      { payment_intent: payment, amount: amountCents, metadata: { key: name } },
      { idempotencyKey: name },
    );
    return status === 'failed' || status === 'canceled'
      ? { state: 'refused', reason: `Stripe couldn’t pay it back: ${why ?? status}.` }
      : { state: 'refunded' };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return { state: 'refused', reason: error.message };
  }
}

/** The charge that a report is about. What became of it is read from Stripe, not from the report. */
function readReport(
  stripe: Stripe,
  secret: string,
  body: Buffer,
  signature: string | string[] | undefined,
  names: ReturnType<typeof paymentNames>,
): { key: string | null } | 'forged' {
  try {
    const { data } = stripe.webhooks.constructEvent(body, signature ?? '', secret, reportMaxAge);
    const subject = data.object as { object?: string; metadata?: Record<string, string> | null };
    const isPayment = subject.object === 'payment_intent';
    return { key: isPayment ? names.keyOf(subject.metadata?.['key']) : null };
  } catch {
    return 'forged';
  }
}
