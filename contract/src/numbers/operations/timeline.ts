import { z } from 'zod';
import { fieldValue } from '../../fields/schemas.ts';
import { operation } from '../../operation.ts';
import { companyIn, id, instant } from '../../schemas.ts';
import { timelineTypes } from '../rules.ts';
import { timelineEvent } from '../schemas/changes.ts';

const ofTimeline = z.object({
  companyId: id,
  number: z.string().max(40).meta({ description: 'E.164, including numbers that were released' }),
});

export const numberTimelineMetaData = operation({
  summary: 'What a number’s timeline contains, and its latest event',
  params: ofTimeline,
  answer: z.object({
    data: z.object({
      number: z.string(),
      number_id: id,
      label: z.string(),
      pool: z.object({ id, name: z.string() }).nullable(),
      first_seen: instant,
      event_count: z.number(),
    }),
    meta: z.object({
      lastActivity: z
        .object({
          type: z.enum(timelineTypes),
          at: instant,
          eav_attribute_values: z.array(fieldValue),
        })
        .nullable(),
    }),
  }),
  example: {
    params: { companyId: 1, number: '+14155552368' },
    answer: {
      data: {
        number: '+14155552368',
        number_id: 11,
        label: 'Front desk',
        pool: null,
        first_seen: '2026-11-21T09:15:04.000Z',
        event_count: 2,
      },
      meta: {
        lastActivity: {
          type: 'label_changed',
          at: '2026-11-21T09:20:00.000Z',
          eav_attribute_values: [],
        },
      },
    },
  },
});

export const numberTimelineEvents = operation({
  summary: 'List what happened to a number, newest first',
  params: ofTimeline,
  query: z.object({
    types: z
      .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(z.enum(timelineTypes)))
      .optional(),
    cursor: z.string().max(200).optional(),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .transform((n) => Math.min(n, 200))
      .default(50),
    ...companyIn,
  }),
  answer: z.object({
    data: z.record(z.string(), z.array(timelineEvent)),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
  example: {
    params: { companyId: 1, number: '+14155552368' },
    answer: {
      data: {
        '+14155552368': [
          {
            id: 90,
            at: '2026-11-21T09:20:00.000Z',
            type: 'label_changed',
            actor: { type: 'user', id: 5, name: 'Una User' },
            summary: 'Labeled “Front desk”',
            before: { label: '' },
            after: { label: 'Front desk' },
            eav_attribute_values: [],
          },
        ],
      },
      meta: { next_cursor: null },
    },
  },
});
