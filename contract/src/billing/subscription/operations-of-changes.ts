import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, one } from '../../schemas.ts';
import { payment } from '../payment.ts';
import { planComponentNames, planFeatureNames, planIds } from '../plans.ts';
import { examplePlan, exampleSubscription, plan, subscription } from '../schemas.ts';

const params = z.object({ companyId: id });
const identifier = z.enum(planIds);
const refusals = [
  'billing.off',
  'subscription.none',
  'subscription.ended',
  'subscription.exists',
  'subscription.ending',
  'subscription.past_due',
  'subscription.refunding',
] as const;

const preview = z.object({
  plan,
  charge_now_cents: z.number().meta({ description: 'With its tax' }),
  tax_cents: z.number().meta({ description: 'The tax in what is charged now' }),
  plan_cents: z
    .number()
    .meta({ description: 'For the new plan until its period ends, before tax' }),
  usage_cents: z.number().meta({
    description: 'For what was used beyond the old plan, before tax, where a period begins',
  }),
  credit_cents: z.number().meta({ description: 'For the time that is left of the old plan' }),
  new_price_cents: z.number(),
  effective: z.enum(['now', 'period_end']),
  effective_at: instant,
  lost_features: z.array(z.enum(planFeatureNames)),
  over_limit: z.array(
    z.object({
      component: z.enum(planComponentNames),
      used: z.number(),
      included: z.number(),
    }),
  ),
});
const examplePreview = {
  plan: { ...examplePlan, identifier: 'premium_monthly' as const, name: 'Premium' },
  charge_now_cents: 2000,
  tax_cents: 0,
  plan_cents: 3950,
  usage_cents: 0,
  credit_cents: 1950,
  new_price_cents: 7900,
  effective: 'now' as const,
  effective_at: '2026-11-16T09:15:04.000Z',
  lost_features: [],
  over_limit: [],
};

export const previewMigration = operation({
  summary: 'See what a change to this plan would charge now, credit, take away, and when',
  params,
  reads: true,
  body: z.object({ identifier }),
  errors: [...refusals, 'subscription.same_plan', 'subscription.not_sold'],
  answer: one(preview),
  example: {
    params: { companyId: 1 },
    body: { identifier: 'premium_monthly' },
    answer: { data: examplePreview },
  },
});

export const migrateSubscription = operation({
  summary:
    'Buy a plan or change it: to a larger one now, for the rest of the period; to a smaller one when the period ends. The first plan begins with a trial',
  params,
  body: z.object({ identifier }),
  errors: [...refusals, 'subscription.same_plan', 'subscription.not_sold', 'billing.no_card'],
  answer: z.object({ data: subscription, meta: z.object({ payment }) }),
  example: {
    params: { companyId: 1 },
    body: { identifier: 'premium_monthly' },
    answer: {
      data: exampleSubscription,
      meta: { payment: { state: 'paid', message: 'Paid $20. Thank you.', confirm_url: null } },
    },
  },
});

export const cancelSubscription = operation({
  summary:
    'End the plan when its period ends; or, with `downsell_plan`, change to a smaller one then',
  params,
  body: z.object({
    reason: z.string().trim().min(1, 'Choose a reason.').max(100, 'At most 100 characters.'),
    comment: z.string().trim().max(1000, 'At most 1,000 characters.').optional(),
    downsell_plan: identifier.optional(),
  }),
  errors: [...refusals, 'subscription.not_smaller', 'subscription.not_sold'],
  answer: one(subscription),
  example: {
    params: { companyId: 1 },
    body: { reason: 'too_expensive' },
    answer: {
      data: {
        ...exampleSubscription,
        state: 'canceling',
        cancel_at: '2026-12-01T09:15:04.000Z',
        cancel_reason: 'too_expensive',
        next_charge_cents: null,
        next_charge_at: null,
      },
    },
  },
});

export const clearCancel = operation({
  summary: 'Keep a plan that was set to end',
  params,
  errors: [...refusals, 'subscription.not_ending'],
  answer: one(subscription),
  example: { params: { companyId: 1 }, answer: { data: exampleSubscription } },
});

export const revertPendingProductChange = operation({
  summary: 'Keep the plan instead of changing it when the period ends',
  params,
  errors: ['billing.off', 'subscription.nothing_pending'],
  answer: one(subscription),
  example: { params: { companyId: 1 }, answer: { data: exampleSubscription } },
});

const offer = z.object({
  id,
  company_id: id,
  from_plan: identifier,
  to_plan: identifier,
  monthly_price_cents: z.number(),
  yearly_price_cents: z.number(),
  discount_percent: z.number(),
  savings_cents: z.number().meta({ description: 'In a year' }),
  headline: z.string(),
  expires_at: instant,
  viewed: z.boolean(),
  viewed_at: instant.nullable(),
  used: z.boolean(),
  used_at: instant.nullable(),
  created_at: instant,
});
const exampleOffer = {
  id: 4,
  company_id: 1,
  from_plan: 'unlimited_monthly' as const,
  to_plan: 'unlimited_yearly' as const,
  monthly_price_cents: 3900,
  yearly_price_cents: 39_600,
  discount_percent: 15,
  savings_cents: 7200,
  headline: 'Pay by the year and save $72',
  expires_at: '2026-12-05T09:15:04.000Z',
  viewed: false,
  viewed_at: null,
  used: false,
  used_at: null,
  created_at: '2026-11-21T09:15:04.000Z',
};

export const getYearlyOffer = operation({
  summary: 'Get the open offer of the yearly plan; `data` is null without one',
  params,
  errors: ['billing.off'],
  answer: z.object({ data: offer.nullable() }),
  example: { params: { companyId: 1 }, answer: { data: exampleOffer } },
});

export const findOrCreateYearlyOffer = operation({
  summary: 'Get the open offer of the yearly plan, or make one where the company is eligible',
  params,
  errors: ['billing.off', 'offer.not_eligible'],
  answer: one(offer),
  example: { params: { companyId: 1 }, answer: { data: exampleOffer } },
});

export const updateYearlyOffer = operation({
  summary: 'Note that an offer was seen or taken up. Taken up, the answer previews the change',
  object: { table: 'yearly_upgrade_offer', param: 'offerId' },
  params: z.object({ companyId: id, offerId: id }),
  body: z.object({ viewed: z.literal(true), used: z.boolean().optional() }),
  errors: [...refusals, 'offer.over', 'subscription.same_plan', 'subscription.not_sold'],
  answer: z.object({ data: offer, meta: z.object({ preview: preview.nullable() }) }),
  example: {
    params: { companyId: 1, offerId: 4 },
    body: { viewed: true },
    answer: {
      data: { ...exampleOffer, viewed: true, viewed_at: '2026-11-21T09:16:00.000Z' },
      meta: { preview: null },
    },
  },
});
