import Stripe from 'stripe';
import { fail } from '../../platform/errors.ts';

const brands: Readonly<Record<string, string>> = {
  ...{ amex: 'American Express', diners: 'Diners Club', discover: 'Discover', jcb: 'JCB' },
  ...{ mastercard: 'Mastercard', unionpay: 'UnionPay', visa: 'Visa' },
};

/** A customer of Stripe and one of their cards, as one name. */
const cardReference = (customer: string, method: string): string => `${customer}/${method}`;
/** The customer and the card of a `cardReference`. */
export const partsOf = (reference: string): { customer: string; method: string } => {
  const [customer = '', method = ''] = reference.split('/');
  return { customer, method };
};
const idOf = (one: string | { id: string } | null): string | null =>
  typeof one === 'string' ? one : (one?.id ?? null);

/**
 * Stripe's page for a card. The company keeps its customer there, whose cards it adds to. Throws what
 * Stripe's client throws.
 */
export async function openPage(
  stripe: Stripe,
  company: string,
  { now, returnUrl, known }: { now: Date; returnUrl: string; known: string | null },
) {
  const customer = known?.startsWith('cus_') ? partsOf(known).customer : null;
  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    allowed_payment_method_types: ['card'],
    client_reference_id: company,
    ...(customer ? { customer } : { customer_creation: 'always' as const }),
    success_url: `${returnUrl}?card={CHECKOUT_SESSION_ID}`,
    cancel_url: returnUrl,
  });
  return {
    pageUrl: session.url ?? fail('billing.unreachable'),
    expiresAt: session.expires_at ? new Date(session.expires_at * 1000) : now,
  };
}

/**
 * The card that a person of this company entered at the page. `unknown`: the token is no session of
 * theirs, or nothing was entered. Throws what Stripe's client throws.
 */
export async function readCard(stripe: Stripe, company: string, token: string) {
  if (!/^cs_\w+$/.test(token)) return 'unknown' as const;
  const session = await stripe.checkout.sessions
    .retrieve(token, { expand: ['setup_intent.payment_method'] })
    .catch(ifUnknown);
  if (session?.client_reference_id !== company || session.status !== 'complete')
    return 'unknown' as const;
  const setup = typeof session.setup_intent === 'string' ? null : session.setup_intent;
  const method = typeof setup?.payment_method === 'string' ? null : setup?.payment_method;
  const customer = idOf(session.customer);
  if (!method?.card || !customer) return 'unknown' as const;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
  return {
    reference: cardReference(customer, method.id),
    card: { brand: brands[brand] ?? 'Card', last4, expMonth, expYear },
  };
}

/** Undefined for what Stripe doesn't have. Throws any other error again. */
export function ifUnknown(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
    return undefined;
  throw error;
}
