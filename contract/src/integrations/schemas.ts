import { z } from 'zod';
import { departments, maxCallValueCents, outcomeTags } from '../calls/rules.ts';
import { id, instant } from '../schemas.ts';
import { deliveryEvents, deliveryStates, mostRules } from './rules.ts';

const ids = z.array(id).max(500).default([]);

/** When something is delivered (A16.1). Empty lists let everything through. */
export const deliveryRule = z.object({
  event: z.enum(deliveryEvents),
  number_ids: ids,
  dni_pool_ids: ids,
  sources: z.array(z.string().trim().min(1).max(200)).max(100).default([]).meta({
    description: 'Keys of sources',
  }),
  min_duration: z.number().int().min(0).max(86_400).default(0).meta({ description: 'Seconds' }),
  first_contact_only: z.boolean().default(false),
  qualified_only: z.boolean().default(false),
  tags_any: z.array(z.enum(outcomeTags)).max(outcomeTags.length).default([]),
  departments: z.array(z.enum(departments)).max(departments.length).default([]),
  value: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('none') }),
      z.object({ type: z.literal('from_call') }),
      z.object({
        type: z.literal('fixed_cents'),
        cents: z.number().int().min(0).max(maxCallValueCents),
      }),
    ])
    .default({ type: 'none' }),
  delay_minutes: z.number().int().min(0).max(10_080).default(0),
});
export type DeliveryRule = z.infer<typeof deliveryRule>;
export const deliveryRules = z.array(deliveryRule).max(mostRules);

/** A rule as the examples have it. */
export const exampleRule: DeliveryRule = {
  event: 'call.completed',
  number_ids: [],
  dni_pool_ids: [],
  sources: [],
  min_duration: 0,
  first_contact_only: true,
  qualified_only: false,
  tags_any: [],
  departments: [],
  value: { type: 'none' },
  delay_minutes: 0,
};

/** One delivery, as its log shows it: contact details are hidden in it. */
export const delivery = z.object({
  id,
  destination_id: id,
  event: z.enum(deliveryEvents),
  entity: z.object({ type: z.enum(['call', 'item']), id }),
  state: z.enum(deliveryStates).meta({
    description:
      '`failed`: it is tried again. `dead`: given up; it can be replayed. `skipped`: left out as the account is set up; `error` says why',
  }),
  corrects: id.nullable().meta({
    description: 'ID of the delivery that it corrects or takes back. Null: it was the first',
  }),
  attempts: z.number(),
  request_redacted: z.string().nullable(),
  response_code: z.number().nullable(),
  response_excerpt: z.string().nullable(),
  error: z.string().nullable(),
  dedupe_key: z.string(),
  happened_at: instant,
  created_at: instant,
  sent_at: instant.nullable(),
  next_try_at: instant.nullable().meta({ description: 'Null: it isn’t tried again' }),
});

/** One try of a delivery. */
export const deliveryAttempt = z.object({
  id,
  at: instant,
  duration_ms: z.number(),
  response_code: z.number().nullable(),
  response_excerpt: z.string().nullable(),
  error: z.string().nullable().meta({ description: 'Null: it was taken' }),
});

/** How a destination is doing. */
export const health = z.object({
  last_sent_at: instant.nullable(),
  last_error: z.object({ at: instant, text: z.string() }).nullable().meta({
    description: 'Null: its last delivery worked',
  }),
  sent_30d: z.number(),
  failed_30d: z.number(),
});
