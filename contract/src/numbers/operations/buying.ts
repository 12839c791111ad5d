import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, one } from '../../schemas.ts';
import { numberExample } from '../examples.ts';
import { maxImmediatePurchase, maxPurchase, numberBounds } from '../rules.ts';
import { areaCode, batchProgress, batchStarted, located, locateIn } from '../schemas/buying.ts';
import { category, e164, numberDetail } from '../schemas/number.ts';

/** Carriers whose numbers are missing from the result, with the reason. */
const locatedMeta = z.object({
  away: z.array(z.object({ carrier: z.string(), reason: z.string() })),
});

const locatedExample = {
  number: '+14155552368',
  formatted: '(415) 555-2368',
  vanity_text: null,
  category: 2 as const,
  region: 'CA',
  city: 'San Francisco',
  rate_center: 'SNFC CNTRL',
  area_code: '415',
  timezone: 'America/Los_Angeles',
  monthly_cents: 300,
  setup_cents: 0,
  currency: 'USD' as const,
  provider_id: 1 as const,
  carrier: { name: 'sandbox', label: 'Sandbox', simulated: true },
  features: ['voice' as const, 'sms' as const, 'mms' as const],
  reservation_id: 9,
  expires_at: '2026-11-21T09:25:04.000Z',
};

export const locateNumbers = operation({
  summary: 'Search for numbers to buy; each result is reserved for you for ten minutes',
  body: locateIn.extend(companyIn),
  answer: z.object({ data: z.array(located), meta: locatedMeta }),
  errors: ['carrier.unreachable', 'carrier.refused'],
  example: {
    body: { category: 2, areaCode: '415', pattern: '2368', match: 'Ends with', limit: 1 },
    answer: { data: [locatedExample], meta: { away: [] } },
  },
});

export const locateNumbersInBulk = operation({
  summary: 'Search for many numbers, with a quantity per area code',
  body: z
    .object({
      items: z
        .array(
          z.object({
            areaCode,
            count: z.coerce
              .number<number>()
              .int()
              .min(numberBounds.count[0], 'At least 1.')
              .max(numberBounds.count[1], 'At most 200.'),
          }),
        )
        .min(1, 'Enter an area code.')
        .max(50),
      category: category.default(2),
      ...companyIn,
    })
    .refine((b) => b.items.reduce((sum, item) => sum + item.count, 0) <= maxPurchase, {
      path: ['items'],
      message: `At most ${maxPurchase} numbers at once.`,
    }),
  answer: z.object({
    data: z.array(
      z.object({
        areaCode: z.string(),
        count: z.number(),
        found: z.array(located),
        missing: z.number(),
      }),
    ),
    meta: locatedMeta,
  }),
  errors: ['carrier.unreachable', 'carrier.refused'],
  example: {
    body: { items: [{ areaCode: '415', count: 1 }] },
    answer: {
      data: [{ areaCode: '415', count: 1, found: [locatedExample], missing: 0 }],
      meta: { away: [] },
    },
  },
});

export const buyNumbers = operation({
  summary: `Buy numbers: all or none. More than ${maxImmediatePurchase} are bought by a job that keeps what it gets (202)`,
  status: 201,
  body: z
    .object({
      numbers: z
        .array(e164)
        .max(maxPurchase, `At most ${maxPurchase} numbers at once.`)
        .default([]),
      reservationIds: z.array(id).max(maxPurchase).default([]),
      category: category.optional(),
      template_id: id.nullish().meta({
        description: 'A number template: its settings and routes are copied to every number bought',
      }),
      label: z.string().trim().max(80, 'At most 80 characters.').optional(),
      tags: z.array(z.string().trim().min(1).max(50)).max(50).optional(),
      ...companyIn,
    })
    .refine((b) => b.numbers.length + b.reservationIds.length > 0, {
      path: ['numbers'],
      message: 'Choose at least one number.',
    }),
  answer: z.union([z.object({ data: z.array(numberDetail) }), one(batchStarted)]),
  errors: ['numbers.taken', 'numbers.limit', 'carrier.unreachable'],
  example: {
    body: { numbers: ['+14155552368'], label: 'Front desk' },
    answer: { data: [numberExample] },
  },
});

export const bulkPurchaseProgress = operation({
  summary: 'Get the progress of a bulk purchase',
  object: { table: 'batch', param: 'batchId' },
  params: z.object({ batchId: z.uuid() }),
  query: z.object({ ...companyIn }),
  answer: one(batchProgress.extend({ purchased: z.array(z.object({ id, number: z.string() })) })),
  example: {
    params: { batchId: '0199a8f0-0000-7000-8000-000000000001' },
    answer: {
      data: {
        id: '0199a8f0-0000-7000-8000-000000000001',
        progress: 100,
        finishedAt: '2026-11-21T09:15:09.000Z',
        total: 25,
        processed: 25,
        failed: 0,
        resultUrl: null,
        errors: [],
        purchased: [{ id: 11, number: '+14155552368' }],
      },
    },
  },
});
