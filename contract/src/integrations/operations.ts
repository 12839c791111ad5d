import { z } from 'zod';
import { operation } from '../operation.ts';
import { id, instant, listQuery, one, pageOf } from '../schemas.ts';
import { deliveryEvents, deliveryStates, dryRunDays } from './rules.ts';
import { delivery, deliveryAttempt } from './schemas.ts';

const companyId = 7300412;
const ofDestination = z.object({ companyId: id, destinationId: id });
const example = {
  id: 88120,
  destination_id: 6210,
  event: 'call.completed' as const,
  entity: { type: 'call' as const, id: 55120 },
  state: 'sent' as const,
  corrects: null,
  attempts: 1,
  request_redacted: '<?xml version="1.0" encoding="UTF-8"?>…',
  response_code: 200,
  response_excerpt: 'OK',
  error: null,
  dedupe_key: 'call.completed:call:55120',
  happened_at: '2026-11-21T09:15:04.000Z',
  created_at: '2026-11-21T09:15:05.000Z',
  sent_at: '2026-11-21T09:15:06.000Z',
  next_try_at: null,
};

export const listDeliveries = operation({
  summary: 'List what was delivered to a destination, newest first. Contact details are hidden',
  paged: true,
  params: ofDestination,
  query: listQuery(
    { state: z.enum(deliveryStates).optional(), event: z.enum(deliveryEvents).optional() },
    { perPage: 25, max: 100 },
  ),
  answer: pageOf(delivery),
  errors: ['not_found'],
  example: {
    params: { companyId, destinationId: 6210 },
    query: { state: 'sent' },
    answer: { data: [example] },
  },
});

export const replayDelivery = operation({
  summary: 'Deliver once more what was sent or given up, as it is known now',
  params: z.object({ companyId: id, deliveryId: id }),
  answer: one(delivery),
  errors: ['not_found', 'delivery.in_progress'],
  example: {
    params: { companyId, deliveryId: 88120 },
    answer: { data: { ...example, state: 'queued' as const, sent_at: null } },
  },
});

export const dryRunDestination = operation({
  summary: `What a destination’s rules would have sent of the last ${dryRunDays} days’ calls, the newest as it would have been sent. Nothing is sent`,
  params: ofDestination,
  answer: one(
    z.object({
      since: instant,
      total: z.number(),
      is_partial: z.boolean().meta({ description: 'There were more calls than were looked at' }),
      receiver: z.object({ accepts: z.boolean(), text: z.string() }).nullable().meta({
        description:
          'What the receiver says of the newest, without counting it. Null: it can’t be asked',
      }),
      calls: z.array(
        z.object({
          id,
          event: z.enum(deliveryEvents),
          happened_at: instant,
          request_redacted: z.string().nullable(),
        }),
      ),
    }),
  ),
  errors: ['not_found'],
  example: {
    params: { companyId, destinationId: 6210 },
    answer: {
      data: {
        since: '2026-10-22T09:15:04.000Z',
        total: 1,
        is_partial: false,
        receiver: null,
        calls: [
          {
            id: 55120,
            event: 'call.completed' as const,
            happened_at: '2026-11-21T09:15:04.000Z',
            request_redacted: '<?xml version="1.0" encoding="UTF-8"?>…',
          },
        ],
      },
    },
  },
});

export const getDelivery = operation({
  summary: 'Get a delivery with each of its tries, newest first. Contact details are hidden',
  params: z.object({ companyId: id, deliveryId: id }),
  answer: one(delivery.extend({ tries: z.array(deliveryAttempt) })),
  errors: ['not_found'],
  example: {
    params: { companyId, deliveryId: 88120 },
    answer: {
      data: {
        ...example,
        tries: [
          {
            id: 99310,
            at: '2026-11-21T09:15:06.000Z',
            duration_ms: 84,
            response_code: 200,
            response_excerpt: 'OK',
            error: null,
          },
        ],
      },
    },
  },
});

export const listCallDeliveries = operation({
  summary:
    'List where a call was delivered to and, for each place that it wasn’t sent to, why not. Contact details are hidden',
  params: z.object({ companyId: id, callId: id }),
  answer: one(
    z.array(
      z.object({
        destination: z.object({
          id,
          provider: z.string(),
          label: z.string().meta({ description: 'The provider as people call it' }),
          name: z.string(),
        }),
        deliveries: z.array(delivery).meta({ description: 'Oldest first' }),
        reason: z.string().nullable().meta({
          description: 'Why nothing was sent. Null: something was, or is about to be',
        }),
      }),
    ),
  ),
  errors: ['not_found'],
  example: {
    params: { companyId, callId: 55120 },
    answer: {
      data: [
        {
          destination: {
            id: 6210,
            provider: 'metaads',
            label: 'Meta Ads',
            name: 'Website',
          },
          deliveries: [],
          reason: 'The call was shorter than 60 seconds.',
        },
      ],
    },
  },
});

export const replayDeliveries = operation({
  summary:
    'Deliver once more what a destination was to get in a period, in its order and as it is known now',
  params: ofDestination,
  body: z
    .object({
      since: instant,
      until: instant,
      only: z.enum(['undelivered', 'all']).default('undelivered').meta({
        description: '`undelivered`: what was given up. `all`: also what was sent',
      }),
    })
    .refine(({ since, until }) => since <= until, {
      path: ['until'],
      error: 'Enter a moment after the first.',
    }),
  answer: one(z.object({ queued: z.number() })),
  errors: ['not_found', 'integration.off'],
  example: {
    params: { companyId, destinationId: 6210 },
    body: {
      since: '2026-11-21T09:00:00.000Z',
      until: '2026-11-21T10:00:00.000Z',
      only: 'undelivered' as const,
    },
    answer: { data: { queued: 12 } },
  },
});
