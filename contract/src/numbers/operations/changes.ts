import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, listQuery, one, sortBy } from '../../schemas.ts';
import { numberExample } from '../examples.ts';
import { exportColumns, forwardDays, numberSorts, undoHours } from '../rules.ts';
import { batchStarted, numberFilters } from '../schemas/buying.ts';
import { bulkPatch } from '../schemas/changes.ts';
import { numberDetail } from '../schemas/number.ts';

export const removeNumber = operation({
  summary: `Release a number: calls and texts stop immediately. It can be kept for ${undoHours} hours, then it returns to the carrier. With undo, keep it`,
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: z.object({
    reason: z.string().trim().max(500).nullish(),
    undo: flag.default(false),
    ...companyIn,
  }),
  answer: one(numberDetail),
  errors: ['number.in_pool', 'numbers.not_releasing'],
  example: {
    params: { id: 11 },
    body: { reason: 'No longer advertised' },
    answer: {
      data: {
        ...numberExample,
        status: 'releasing',
        releasing_at: '2026-11-21T09:15:04.000Z',
        returns_at: '2026-11-24T09:15:04.000Z',
      },
    },
  },
});

/** The numbers to change: by ID, or all that match the filters of the list. */
const manyNumbers = {
  ids: z.array(id).max(100_000).default([]),
  all: flag.default(false),
  filters: z.object(numberFilters).partial().default({}),
  ...companyIn,
};

const someNumbers = (b: { ids: readonly number[]; all: boolean }): boolean =>
  b.all || b.ids.length > 0;

const chooseSome = { path: ['ids'], message: 'Choose at least one number.' };

export const updateNumbersInBulk = operation({
  summary:
    'Update many numbers by ID, or all that match the filters. Runs as a job, with live progress',
  status: 202,
  body: z
    .object({
      ...manyNumbers,
      patch: bulkPatch.refine((p) => Object.keys(p).length > 0, 'Enter what to change.'),
    })
    .refine(someNumbers, chooseSome),
  answer: one(batchStarted.extend({ total: z.number() })),
  example: {
    body: { ids: [11, 12], patch: { label: 'Front desk', add_tags: ['Sales'] } },
    answer: {
      data: { batchId: '0199a8f0-0000-7000-8000-000000000001', status: 'queued', total: 2 },
    },
  },
});

export const removeNumbersInBulk = operation({
  summary: `Release many numbers, or (undo) keep them within ${undoHours} hours. Runs as a job, with live progress`,
  status: 202,
  body: z
    .object({
      ...manyNumbers,
      reason: z.string().trim().max(500).nullish(),
      undo: flag.default(false),
    })
    .refine(someNumbers, chooseSome),
  answer: one(batchStarted.extend({ total: z.number() })),
  example: {
    body: { ids: [11, 12], reason: 'No longer advertised' },
    answer: {
      data: { batchId: '0199a8f0-0000-7000-8000-000000000001', status: 'queued', total: 2 },
    },
  },
});

export const exportNumbers = operation({
  lane: 'reports',
  summary:
    'Export the numbers table as CSV: same filters and order, selected columns. The file is kept for an hour and opens only for the person who exported it',
  limit: 'exports',
  query: listQuery(
    {
      ...numberFilters,
      sort: sortBy(...numberSorts),
      columns: z
        .preprocess(
          (v) => (typeof v === 'string' ? v.split(',') : v),
          z
            .array(
              z.union([
                z.enum(exportColumns),
                z
                  .string()
                  .regex(/^eav:[a-z][a-z0-9_]{0,59}$/) as unknown as z.ZodType<`eav:${string}`>,
              ]),
            )
            .min(1),
        )
        .optional()
        .meta({ description: '`eav:<key>` for a custom field' }),
      tz: z.string().max(60).optional().meta({ description: 'Time zone of dates; UTC by default' }),
    },
    { perPage: 25 },
  ),
  answer: one(z.object({ url: z.string(), name: z.string(), rows: z.number() })),
  example: {
    query: { sms: true, columns: ['number', 'label'] },
    answer: {
      data: {
        url: '/api/companies/1/exports/71/file',
        name: 'numbers-2026-11-21.csv',
        rows: 12,
      },
    },
  },
});

export const checkSpamLabel = operation({
  summary:
    'Ask now whether networks show calls from a number as spam. It is asked once a day in any case',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: z.object(companyIn),
  answer: one(numberDetail),
  errors: ['number.spam_source_missing', 'number.spam_source_away', 'number.not_active'],
  example: {
    params: { id: 11 },
    body: {},
    answer: {
      data: {
        ...numberExample,
        spam_status: 'flagged',
        spam_labels: ['Verizon', 'AT&T'],
        spam_checked_at: '2026-11-21T09:15:04.000Z',
      },
    },
  },
});

export const rotateNumber = operation({
  summary: `Exchange a number: buy another one with its settings, tags, people and routes. Callers to the old number reach the new one for ${forwardDays} days, then it returns to the carrier`,
  object: { table: 'number', param: 'id' },
  status: 201,
  params: z.object({ id }),
  body: z.object({
    same_area: flag
      .default(true)
      .meta({ description: 'The same area code; otherwise also others in the state' }),
    keep_routing: flag.default(true),
    ...companyIn,
  }),
  answer: one(numberDetail.extend({ rotated_from: id })),
  errors: [
    'numbers.cannot_rotate',
    'numbers.none_found',
    'numbers.limit',
    'carrier.refused',
    'carrier.unreachable',
  ],
  example: {
    params: { id: 11 },
    body: { same_area: true, keep_routing: true },
    answer: {
      data: {
        ...numberExample,
        id: 12,
        number: '+14155552371',
        formatted: '(415) 555-2371',
        rotated_from: 11,
      },
    },
  },
});
