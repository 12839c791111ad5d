import { z } from 'zod';
import { billingModes } from '#contract/billing/rules';
import { variable } from './variable.ts';

export const billingVariable = variable(
  z.enum(billingModes, 'must be off, manual, sandbox, stripe or maxio').optional(),
  '',
  'Who takes the money for plans: `off` (no plans, limits or billing screens), `manual` (invoices that an operator marks as paid), `stripe` (cards, through your Stripe account), `maxio` (cards, through your site at Maxio), `sandbox` (test cards; no money moves). By default `sandbox` with demo data, else `off`',
  { example: 'manual' },
);
