import { z } from 'zod';
import { operation } from '../../operation.ts';
import { flag, id, instant, one } from '../../schemas.ts';
import { catalogCategories, catalogPages, maxIds, numberTiers } from '../rules.ts';
import { typedPhone, usage } from '../schemas.ts';

const listed = z.object({
  number: z.string(),
  formatted: z.string(),
  region: z.string(),
  tier: z.enum(numberTiers).meta({ description: '`plus` comes with a paid plan' }),
  reservedUntil: instant.meta({ description: 'Until then no one else gets it' }),
});
const caddyNumber = z.object({
  id,
  number: z.string(),
  formatted: z.string(),
  label: z.string(),
  isActive: z.boolean(),
  willBeRemovedAt: instant.nullable().meta({ description: 'Null: it is active' }),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  unread: z.number(),
});
const exampleListed = {
  number: '+12125550142',
  formatted: '(212) 555-0142',
  region: 'NY',
  tier: 'free',
  reservedUntil: '2026-11-26T09:25:04.000Z',
};
const exampleNumber = {
  id: 7,
  number: '+12125550142',
  formatted: '(212) 555-0142',
  label: 'Marketplace',
  isActive: true,
  willBeRemovedAt: null,
  createdAt: '2026-11-26T09:15:04.000Z',
  lastUsedAt: null,
  unread: 0,
};
const areaCode = z.string().regex(/^[2-9]\d{2}$/, 'Enter three digits, such as 212.');
const state = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{2}$/, 'Enter two letters, such as NY.')
  .transform((typed) => typed.toUpperCase());
const refusals = ['carrier.refused', 'carrier.unreachable'] as const;

export const searchCaddyCatalog = operation({
  summary: 'Numbers that are free, kept for the asking person for ten minutes',
  query: z.object({
    areaCode: areaCode.optional(),
    state: state.optional(),
    category: z.enum(catalogCategories).default('local'),
    contains: z
      .string()
      .trim()
      .regex(/^[0-9A-Za-z*]{1,7}$/, 'Enter up to seven digits or letters.')
      .optional(),
    page: z.coerce.number<number>().int().min(1).max(catalogPages).default(1),
    strict: flag.optional(),
  }),
  answer: z.object({ data: z.array(listed) }),
  errors: refusals,
  example: { query: { areaCode: '212' }, answer: { data: [exampleListed] } },
});

export const getRandomCaddyNumber = operation({
  summary: 'One number that is free, kept for the asking person for ten minutes',
  query: z.object({ areaCode: areaCode.optional(), strict: flag.optional() }),
  answer: one(listed),
  errors: [...refusals, 'caddy.none_free'],
  example: { query: { areaCode: '212' }, answer: { data: exampleListed } },
});

const label = z.string().trim().max(80);
const buying = ['caddy.limit', 'caddy.plus', 'numbers.taken', ...refusals] as const;

export const addCaddyNumber = operation({
  summary: 'Add a number within the plan. It is active at once',
  lane: 'reports',
  body: z.object({ number: typedPhone, label: label.optional() }),
  answer: one(caddyNumber),
  status: 201,
  errors: buying,
  example: { body: { number: '+12125550142' }, answer: { data: exampleNumber } },
});

export const replaceCaddyNumber = operation({
  summary:
    'Exchange a number for another one: once in 30 days on the free plan, three times on a paid one. The old one can be restored for 30 days',
  lane: 'reports',
  body: z.object({ id, number: typedPhone }),
  answer: one(caddyNumber),
  status: 201,
  errors: [...buying, 'caddy.replaced_lately'],
  example: { body: { id: 7, number: '+12125550142' }, answer: { data: exampleNumber } },
});

export const listCaddyNumbers = operation({
  summary: 'The person’s numbers, those that will be removed included',
  answer: z.object({ data: z.array(caddyNumber) }),
  example: { answer: { data: [exampleNumber] } },
});

export const renameCaddyNumber = operation({
  summary: 'Say what a number is for. Only its person sees it',
  params: z.object({ id }),
  body: z.object({ label }),
  answer: one(caddyNumber),
  example: {
    params: { id: 7 },
    body: { label: 'Marketplace' },
    answer: { data: { ...exampleNumber, label: 'Marketplace' } },
  },
});

export const removeCaddyNumber = operation({
  summary: 'Stop a number. It is removed after 30 days unless it is activated again',
  params: z.object({ id }),
  answer: one(caddyNumber),
  example: {
    params: { id: 7 },
    answer: {
      data: { ...exampleNumber, isActive: false, willBeRemovedAt: '2026-12-26T09:15:04.000Z' },
    },
  },
});

export const activateCaddyNumbers = operation({
  summary: 'Choose the active numbers. All others stop and are removed after 30 days',
  body: z.object({
    ids: z.array(id).min(1, 'Choose at least one number.').max(maxIds),
  }),
  answer: z.object({ data: z.array(caddyNumber) }),
  errors: ['caddy.limit', 'numbers.not_releasing'],
  example: { body: { ids: [7] }, answer: { data: [exampleNumber] } },
});

export const getCaddyUsage = operation({
  summary: 'What was used in this period, and what the plan includes',
  answer: one(usage),
  example: {
    answer: {
      data: {
        plan: 'free',
        subscriptionStatus: 'not_subscribed',
        renewsAt: null,
        period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
        minutes: { used: 12, included: 60 },
        texts: { used: 12, included: 30 },
        numbers: { used: 1, included: 1 },
      },
    },
  },
});
