import type { MaxioAccount } from './account.ts';
import { RefusedError, type MaxioApi } from './api.ts';
import { customerAnswer, productAnswer, subscriptionAnswer } from './answers.ts';

/**
 * Where a company's cards and charges lie at Maxio, made when it is first needed: a customer, and a
 * subscription to a product that costs nothing, as Maxio makes invoices for subscriptions only. Plans
 * and periods stay ours. Throws when the product isn't such a product.
 */
export async function shelfOf(
  api: MaxioApi,
  { product }: MaxioAccount,
  reference: string,
): Promise<{ customer: number; subscription: number }> {
  const customer = await foundOrMade(
    async () => {
      const found = await api.get('/customers/lookup.json', { reference });
      return found === undefined ? null : customerAnswer.parse(found).id;
    },
    async () => {
      // Names and addresses of people stay here; the address is one that nothing is delivered to.
      const fields = { first_name: 'Company', last_name: reference.split('-').at(-1) ?? '' };
      const email = `${reference}@trunkline.invalid`;
      const body = { customer: { ...fields, email, reference } };
      return customerAnswer.parse(await api.post('/customers.json', body)).id;
    },
  );
  const subscription = await foundOrMade(
    async () => {
      const found = await api.get('/subscriptions/lookup.json', { reference });
      return found === undefined ? null : subscriptionAnswer.parse(found).id;
    },
    async () => {
      await requireFree(api, product);
      const body = {
        ...{ product_handle: product, customer_id: customer, reference },
        receives_invoice_emails: 'false',
      };
      const made = await api.post('/subscriptions.json', { subscription: body });
      return subscriptionAnswer.parse(made).id;
    },
  );
  return { customer, subscription };
}

/** Two who make the same at once: the second is refused, as a reference is unique, and finds it. */
async function foundOrMade(
  find: () => Promise<number | null>,
  make: () => Promise<number>,
): Promise<number> {
  const found = await find();
  if (found !== null) return found;
  try {
    return await make();
  } catch (error) {
    const theirs = error instanceof RefusedError ? await find() : null;
    if (theirs === null) throw error;
    return theirs;
  }
}

async function requireFree(api: MaxioApi, handle: string): Promise<void> {
  const found = await api.get(`/products/handle/${encodeURIComponent(handle)}.json`);
  if (found === undefined) throw new Error(`Maxio has no product with the handle ${handle}.`);
  const product = productAnswer.parse(found);
  if (product.price_in_cents !== 0 || product.initial_charge_in_cents)
    throw new Error(`The product ${handle} at Maxio must cost nothing: MAXIO_PRODUCT.`);
  if (product.require_credit_card)
    throw new Error(`The product ${handle} at Maxio must not require a card: MAXIO_PRODUCT.`);
}
