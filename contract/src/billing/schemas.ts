import { z } from 'zod';
import { instant } from '../schemas.ts';
import {
  planAudiences,
  planComponentNames,
  planFeatureNames,
  planIds,
  planIntervals,
} from './plans.ts';
import { subscriptionStates } from './states.ts';
import { tax } from './tax-schema.ts';

const cents = z.number().int().meta({ description: 'Minor units of the currency' });

export const plan = z.object({
  identifier: z.enum(planIds),
  name: z.string(),
  audience: z.enum(planAudiences),
  interval: z.enum(planIntervals),
  price_cents: cents,
  currency: z.string(),
  included: z
    .record(z.enum(planComponentNames), z.number().nullable())
    .meta({ description: 'null: no limit' }),
  features: z.array(z.enum(planFeatureNames)),
  is_legacy: z.boolean(),
  is_public: z.boolean(),
  trial_days: z.number(),
  yearly_counterpart: z.enum(planIds).nullable(),
});

export const paymentMethod = z.object({
  brand: z.string(),
  last4: z.string(),
  exp: z.string().meta({ description: 'MM/YYYY' }),
  expires_soon: z.boolean(),
});

/** Subscription (A19.2). */
export const subscription = z.object({
  id: z.number().nullable().meta({ description: 'null: never had a plan or a card' }),
  company_id: z.number(),
  plan: plan.nullable(),
  state: z.enum(subscriptionStates),
  state_reason: z.string().nullable(),
  trial_ends_at: instant.nullable(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  next_charge_cents: cents.nullable().meta({ description: 'With its tax' }),
  next_charge_at: instant.nullable(),
  cancel_at: instant.nullable(),
  cancel_reason: z.string().nullable(),
  pending_change: z.object({ plan, effective_at: instant, revertible: z.literal(true) }).nullable(),
  tax: tax.nullable().meta({ description: 'On its invoices; null: none' }),
  balance_cents: cents.meta({ description: 'Above zero is owed, below zero is credit' }),
  currency: z.string(),
  past_due_since: instant.nullable(),
  payment_method: paymentMethod.nullable(),
  receivesInvoiceEmails: z.boolean(),
  provider: z.enum(['chargify', 'app_store', 'play_store', 'manual', 'sandbox', 'stripe', 'maxio']),
  created_at: instant.nullable(),
});
type Subscription = z.infer<typeof subscription>;

export const examplePlan = {
  identifier: 'unlimited_monthly' as const,
  name: 'Unlimited',
  audience: 'both' as const,
  interval: 'month' as const,
  price_cents: 3900,
  currency: 'USD',
  included: {
    numbers: 3,
    seats: null,
    voice_minutes: 5000,
    text_credits: 500,
    tracking_pools: 0,
    transcription_minutes: 0,
  },
  features: ['slack' as const, 'campaigns' as const],
  is_legacy: false,
  is_public: true,
  trial_days: 14,
  yearly_counterpart: 'unlimited_yearly' as const,
};
export const exampleSubscription: Subscription = {
  id: 1,
  company_id: 1,
  plan: examplePlan,
  state: 'active',
  state_reason: null,
  trial_ends_at: null,
  current_period_start: '2026-11-01T09:15:04.000Z',
  current_period_end: '2026-12-01T09:15:04.000Z',
  next_charge_cents: 3900,
  next_charge_at: '2026-12-01T09:15:04.000Z',
  cancel_at: null,
  cancel_reason: null,
  pending_change: null,
  tax: null,
  balance_cents: 0,
  currency: 'USD',
  past_due_since: null,
  payment_method: { brand: 'Visa', last4: '4242', exp: '09/2029', expires_soon: false },
  receivesInvoiceEmails: true,
  provider: 'sandbox',
  created_at: '2026-08-01T09:15:04.000Z',
};
