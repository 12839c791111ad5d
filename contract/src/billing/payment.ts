import { z } from 'zod';

/** What became of a payment that a call made. */
export const payment = z.object({
  state: z.enum(['none', 'paid', 'declined', 'confirm']),
  message: z.string(),
  confirm_url: z
    .string()
    .nullable()
    .meta({ description: 'Where the person confirms the payment with their bank' }),
});
