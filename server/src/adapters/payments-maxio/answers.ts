import { z } from 'zod';

/** What we read of Maxio's answers; they hold much more. */
const wrapped = <S extends z.ZodType>(name: string, shape: S) =>
  z.looseObject({ [name]: shape }).transform((one) => one[name] as z.output<S>);

export const customerAnswer = wrapped('customer', z.looseObject({ id: z.number() }));
export const subscriptionAnswer = wrapped('subscription', z.looseObject({ id: z.number() }));
export const productAnswer = wrapped(
  'product',
  z.looseObject({
    price_in_cents: z.number(),
    initial_charge_in_cents: z.number().nullish(),
    require_credit_card: z.boolean().nullish(),
  }),
);
export const profileAnswer = wrapped(
  'payment_profile',
  z.looseObject({
    id: z.number(),
    card_type: z.string().nullish(),
    masked_card_number: z.string().nullish(),
    expiration_month: z.coerce.number(),
    expiration_year: z.coerce.number(),
  }),
);

export const invoiceFields = z.looseObject({
  uid: z.string(),
  status: z.string(),
  memo: z.string().nullish(),
  currency: z.string(),
  total_amount: z.string(),
  due_amount: z.string(),
  payments: z.array(z.looseObject({ transaction_id: z.number() })).nullish(),
  refunds: z.array(z.looseObject({ memo: z.string().nullish() })).nullish(),
});
export type MaxioInvoice = z.output<typeof invoiceFields>;
export const invoiceAnswer = wrapped('invoice', invoiceFields);
export const invoicesAnswer = wrapped('invoices', z.array(invoiceFields));
