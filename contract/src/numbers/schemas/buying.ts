import { z } from 'zod';
import { eavFilter } from '../../fields/schemas.ts';
import { flag, id, instant } from '../../schemas.ts';
import { matchModes, numberKinds, routingTypes } from '../rules.ts';
import { category, e164, number14, numberStatus, oneOf } from './number.ts';

export const areaCode = z
  .string()
  .trim()
  .regex(/^([2-9]\d{2}|8\*\*)$/, 'Use the three digits of an area code.');

export const locateIn = z.object({
  country: z.enum(['US', 'CA'], 'Numbers in this country can’t be bought here yet.').default('US'),
  category: category.default(2),
  areaCode: areaCode.optional(),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Use two letters.')
    .optional(),
  city: z.string().trim().max(80).optional(),
  pattern: z
    .string()
    .trim()
    .max(20)
    .regex(/^([A-Za-z0-9* ()+.-]*)$/, 'Use digits, letters and *.')
    .optional()
    .meta({
      description:
        'Digits, letters (as on a keypad), * for any digit, or the ID of a pattern from GET /patterns, such as AABB',
    }),
  match: z.enum(matchModes).default('Contains'),
  words: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9]{2,10}$/, 'Two to ten letters or digits.'),
    )
    .max(10)
    .optional(),
  limit: z.coerce.number<number>().int().min(1).max(50, 'At most 50.').default(1),
  exclude: z
    .array(e164)
    .max(500)
    .optional()
    .meta({ description: 'Numbers already shown; others are returned' }),
});

export const located = z.object({
  number: z.string(),
  formatted: z.string(),
  vanity_text: z.string().nullable(),
  category: number14,
  region: z.string(),
  city: z.string(),
  rate_center: z.string(),
  area_code: z.string(),
  timezone: z.string().nullable(),
  monthly_cents: z.number(),
  setup_cents: z.number(),
  currency: z.literal('USD'),
  provider_id: number14,
  carrier: z.object({ name: z.string(), label: z.string(), simulated: z.boolean() }).meta({
    description: 'The seller; a simulated number reaches no one outside this installation',
  }),
  features: z.array(z.enum(['voice', 'sms', 'mms', 'fax'])),
  reservation_id: id,
  expires_at: instant.meta({ description: 'Reserved for you until then' }),
});

export type Located = z.infer<typeof located>;

/** Response of an endpoint that starts a job (A1). */
export const batchStarted = z.object({ batchId: z.uuid(), status: z.literal('queued') });

/** Progress of a job (A1). */
export const batchProgress = z.object({
  id: z.uuid(),
  progress: z.number().meta({ description: '0 to 100' }),
  finishedAt: instant.nullable(),
  total: z.number(),
  processed: z.number(),
  failed: z.number(),
  resultUrl: z.string().nullable(),
  errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
});

const among = <T extends string>(words: readonly T[]) => z.enum(words as readonly [T, ...T[]]);

export const numberFilters = {
  search: z
    .string()
    .trim()
    .max(100)
    .optional()
    .meta({ description: 'Part of the number, label, city or vanity word' }),
  status: z
    .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(numberStatus))
    .optional()
    .meta({ description: 'By default every number that is still yours' }),
  category: category.optional(),
  kind: oneOf(numberKinds, '1 Voice & SMS, 2 International, 3 Fax').optional(),
  routingType: among(routingTypes).optional(),
  tag: z.string().max(50).optional(),
  areaCode: z.string().max(3).optional(),
  region: z.string().max(2).optional(),
  sms: flag.optional(),
  verified: flag.optional(),
  recorded: flag.optional(),
  in_pool: flag.optional(),
  unread: flag.optional(),
  unused: flag.optional().meta({ description: 'No call or text for 30 days' }),
  eav: eavFilter,
};
