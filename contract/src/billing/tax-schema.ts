import { z } from 'zod';

export const taxRate = z
  .number()
  .int('Use at most three decimals.')
  .min(0)
  .max(100_000, 'At most 100%.')
  .meta({ description: 'Thousandths of a percent: 8875 is 8.875%' });

/** What an account's invoices are taxed with. */
export const tax = z.object({
  name: z.string(),
  rate: taxRate,
  included: z.boolean().meta({ description: 'Prices contain it; otherwise it is added' }),
  seller_tax_id: z.string().meta({ description: 'Of who runs this server. Empty: none' }),
  exempt: z
    .object({ reason: z.string(), number: z.string() })
    .nullable()
    .meta({ description: 'Why none is charged; then the rate is 0' }),
});
