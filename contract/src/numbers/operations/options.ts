import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, instant, one } from '../../schemas.ts';
import { numberBounds } from '../rules.ts';

export const numberPrefixes = operation({
  summary: 'List toll-free prefixes',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(z.object({ prefix: z.string(), label: z.string(), available: z.boolean() })),
  }),
  example: { answer: { data: [{ prefix: '800', label: '800', available: true }] } },
});

export const vanityPatterns = operation({
  summary: 'List saved digit patterns to search for',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({ id: z.string(), name: z.string(), pattern: z.string(), example: z.string() }),
    ),
  }),
  example: {
    answer: { data: [{ id: 'AABB', name: 'Two pairs', pattern: 'AABB', example: '3377' }] },
  },
});

export const areaCodeOverlays = operation({
  summary: 'List other area codes that serve the same places',
  params: z.object({ areaCode: z.string().regex(/^[2-9]\d{2}$/) }),
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      areaCode: z.string(),
      overlays: z.array(z.string()),
      state: z.string().nullable(),
      region: z.string(),
      timezone: z.string().nullable(),
    }),
  ),
  example: {
    params: { areaCode: '415' },
    answer: {
      data: {
        areaCode: '415',
        overlays: ['628'],
        state: 'CA',
        region: 'California',
        timezone: 'America/Los_Angeles',
      },
    },
  },
});

const limitRequest = z.object({
  id,
  requested: z.number(),
  status: z.enum(['open', 'granted', 'declined']),
  created_at: instant,
});

export const numberLimit = operation({
  summary: 'Get the company’s number limit and usage',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({ limit: z.number(), used: z.number(), pending_request: limitRequest.nullable() }),
  ),
  example: { answer: { data: { limit: 25, used: 12, pending_request: null } } },
});

export const requestNumberLimitIncrease = operation({
  summary: 'Request a higher number limit; one open request per company',
  status: 201,
  body: z.object({
    requested: z.coerce
      .number('Enter a number.')
      .int('Enter a whole number.')
      .min(numberBounds.requested[0], 'Enter a number.')
      .max(numberBounds.requested[1], 'At most 100,000.'),
    reason: z
      .string()
      .trim()
      .min(1, 'Enter why you need more.')
      .max(1000, 'At most 1000 characters.'),
    ...companyIn,
  }),
  answer: one(limitRequest),
  errors: ['numbers.limit_request_open'],
  example: {
    body: { requested: 50, reason: 'Two new branches' },
    answer: {
      data: { id: 3, requested: 50, status: 'open', created_at: '2026-11-21T09:15:04.000Z' },
    },
  },
});
