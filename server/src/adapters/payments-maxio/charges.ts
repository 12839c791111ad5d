import { moneyToDecimal } from '#contract';
import type { ChargeOrder, ChargeOutcome } from '../../gateways/payments.ts';
import { fail } from '../../platform/errors.ts';
import { RefusedError, requestMs, type MaxioApi } from './api.ts';
import { invoiceAnswer, invoiceFields, invoicesAnswer, type MaxioInvoice } from './answers.ts';
import { partsOf } from './cards.ts';

/** Invoices of a company that are read at once, and days that clocks and time zones may differ. */
const pageSize = 200;
const day = 86_400_000;

const invoicePath = (uid: string): string => `/invoices/${encodeURIComponent(uid)}`;

/** An invoice with its payments and refunds; undefined: there is none. */
export async function readInvoice(api: MaxioApi, uid: string): Promise<MaxioInvoice | undefined> {
  const found = await api.get(`${invoicePath(uid)}.json`);
  return found === undefined ? undefined : invoiceFields.parse(found);
}

/** The invoice that we made under this name; undefined: we made none. */
async function invoiceNamed(
  api: MaxioApi,
  name: string,
  { subscription, since }: { subscription: string; since: Date },
): Promise<MaxioInvoice | undefined> {
  const start = new Date(since.getTime() - 2 * day).toISOString().slice(0, 10);
  for (let page = 1; ; page++) {
    const found = await api.get('/invoices.json', {
      ...{ subscription_id: subscription, start_date: start, direction: 'desc' },
      ...{ page: String(page), per_page: String(pageSize) },
    });
    const invoices = found === undefined ? [] : invoicesAnswer.parse(found);
    const ours = invoices.find(({ memo }) => memo === name);
    if (ours || invoices.length < pageSize) return ours;
  }
}

/**
 * Charges a card: an invoice of the amount with our name for it, then its payment. Asked again, the
 * invoice is found by its name, and Maxio takes no more than is due of it, so it is paid once. Fails
 * with `billing.unreachable` while another's payment of it may be on its way.
 */
export async function charge(
  api: MaxioApi,
  name: string,
  order: ChargeOrder,
): Promise<ChargeOutcome> {
  const { subscription, profile } = partsOf(order.cardReference);
  const before = await invoiceNamed(api, name, { subscription, since: order.firstAskedAt });
  if (before?.status === 'open') {
    // Whoever asked before is gone or got no answer, and its payment may still be on its way.
    if (Date.now() - order.firstAskedAt.getTime() < requestMs + 20_000)
      fail('billing.unreachable', {}, { cause: new Error('Maxio is still at a payment.') });
    return pay(api, before, { name, profile });
  }
  if (before) return outcomeOf(before);
  const price = moneyToDecimal(order.amountCents, order.currency);
  const line = { title: 'Balance of the account', quantity: 1, unit_price: price, taxable: false };
  const made = await api.post(`/subscriptions/${subscription}/invoices.json`, {
    invoice: { line_items: [line], memo: name },
  });
  if (made === undefined)
    return { state: 'declined', reason: 'This card no longer works. Add it again.' };
  const invoice = invoiceAnswer.parse(made);
  if (invoice.currency !== order.currency || Number(invoice.total_amount) !== Number(price)) {
    await giveUp(api, invoice.uid);
    throw new Error(
      `Maxio made ${invoice.total_amount} ${invoice.currency} of ${price} ${order.currency}: the site must not tax what Trunkline charges.`,
    );
  }
  return pay(api, invoice, { name, profile });
}

async function pay(
  api: MaxioApi,
  invoice: MaxioInvoice,
  { name, profile }: { name: string; profile: number },
): Promise<ChargeOutcome> {
  let reason = 'The card was declined.';
  try {
    await api.post(`${invoicePath(invoice.uid)}/payments.json`, {
      type: 'payment',
      payment: { amount: invoice.due_amount, memo: name, payment_profile_id: profile },
    });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    reason = error.message;
  }
  const now = await readInvoice(api, invoice.uid);
  if (now?.status !== 'open') return outcomeOf(now ?? { ...invoice, status: 'voided' });
  // Left open, Maxio might collect it later.
  await giveUp(api, invoice.uid);
  return { state: 'declined', reason };
}

/** What became of an invoice. Fails while it is neither paid nor given up: it is asked again. */
export function outcomeOf({ uid, status }: MaxioInvoice): ChargeOutcome {
  if (status === 'paid') return { state: 'paid', reference: uid };
  if (status === 'voided' || status === 'canceled')
    return { state: 'declined', reason: 'The payment was given up.' };
  return fail('billing.unreachable', {}, { cause: new Error(`Maxio is still at it: ${status}.`) });
}

/** Voids an invoice that isn't paid. Throws what the API throws. */
export const giveUp = (api: MaxioApi, uid: string): Promise<unknown> =>
  api.post(`${invoicePath(uid)}/void.json`, { void: { reason: 'Not paid' } });

/** Pays a part of a paid invoice back, once for each name. Throws what the API throws. */
export async function refund(
  api: MaxioApi,
  name: string,
  { uid, amountCents }: { uid: string; amountCents: number },
): Promise<{ state: 'refunded' } | { state: 'refused'; reason: string }> {
  const invoice = await readInvoice(api, uid);
  if (!invoice) return { state: 'refused', reason: 'Maxio doesn’t know this charge.' };
  if (invoice.refunds?.some(({ memo }) => memo === name)) return { state: 'refunded' };
  const payment = invoice.payments?.[0];
  if (!payment) return { state: 'refused', reason: 'Maxio has no payment of this charge.' };
  try {
    await api.post(`${invoicePath(uid)}/refunds.json`, {
      refund: {
        amount: moneyToDecimal(amountCents, invoice.currency),
        memo: name,
        payment_id: payment.transaction_id,
        external: false,
        apply_credit: false,
        void_invoice: false,
      },
    });
    return { state: 'refunded' };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { state: 'refused', reason: error.message };
  }
}
