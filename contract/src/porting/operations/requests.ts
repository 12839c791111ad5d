import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { portSorts } from '../rules.ts';
import {
  day,
  numbersIn,
  portDraft,
  portRequest,
  portRow,
  portService,
  portStatus,
  portType,
  words,
} from '../schemas.ts';
import { at, example, ofPort, params, common } from './shared.ts';

const ofCompany = z.object({ companyId: id });

export const listPorts = operation({
  summary: 'List port requests',
  params: ofCompany,
  paged: true,
  query: listQuery(
    {
      sort: sortBy(...portSorts),
      search: z
        .string()
        .trim()
        .max(100)
        .optional()
        .meta({ description: 'Part of a number, the carrier, or the name on the account' }),
      status: z
        .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(portStatus))
        .optional(),
      type: z.coerce.number<number>().pipe(portType).optional(),
      service: z.coerce.number<number>().pipe(portService).optional(),
      completed_30d: flag.optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(portRow),
  example: {
    params: { companyId: 1 },
    query: { status: ['pending'] },
    answer: {
      data: [
        {
          id: 31,
          status: 'pending',
          numbers: [{ number: '+12125552368', formatted: '(212) 555-2368' }],
          numbers_count: 1,
          type: 1,
          service: 1,
          losing_carrier: 'Old Bell',
          entity_name: 'Harbor Dental LLC',
          requested_date: null,
          foc_date: null,
          documents_wanted: [],
          rejection: null,
          alarm: null,
          created_at: at,
          updated_at: at,
          submitted_at: null,
        },
      ],
    },
  },
});

export const createPort = operation({
  summary:
    'Create a port request as a draft until it’s submitted. Numbers that can’t be ported are listed in `needs.numbers`, with `portable` false and a `reason`',
  params: ofCompany,
  status: 201,
  body: portDraft.extend({ numbers: numbersIn.min(1, 'Add at least one number.') }),
  answer: one(portRequest),
  errors: ['port.open', 'port.mixed_types', 'carrier.unreachable'],
  example: {
    params: { companyId: 1 },
    body: { numbers: ['+12125552368'], service: 1, losing_carrier: 'Old Bell' },
    answer: { data: example },
  },
});

export const portStats = operation({
  summary: 'Count port requests',
  params: ofCompany,
  answer: one(
    z.object({
      pending: z.number(),
      documentsRequested: z.number(),
      inProgress: z
        .number()
        .meta({ description: 'At the carrier: submitted, in progress or scheduled' }),
      completed30d: z.number(),
      rejected: z.number(),
    }),
  ),
  example: {
    params: { companyId: 1 },
    answer: {
      data: { pending: 1, documentsRequested: 0, inProgress: 2, completed30d: 3, rejected: 0 },
    },
  },
});

export const checkPortability = operation({
  summary: 'Check whether numbers can be ported here. Nothing is saved',
  params: ofCompany,
  body: z.object({ numbers: numbersIn.min(1, 'Add at least one number.') }),
  answer: one(
    z.object({
      numbers: z.array(
        z.object({
          number: z.string(),
          formatted: z.string(),
          type: portType,
          portable: z.boolean(),
          reason: z.string().nullable(),
          sentence: z.string().nullable(),
          losing_carrier: z.string().nullable(),
        }),
      ),
      mixed: z.boolean(),
      earliest_date: day,
    }),
  ),
  errors: ['carrier.unreachable'],
  example: {
    params: { companyId: 1 },
    body: { numbers: ['+12125552368'] },
    answer: {
      data: {
        numbers: [
          {
            number: '+12125552368',
            formatted: '(212) 555-2368',
            type: 1,
            portable: true,
            reason: null,
            sentence: null,
            losing_carrier: 'Old Bell',
          },
        ],
        mixed: false,
        earliest_date: '2026-12-03',
      },
    },
  },
});

export const getPort = operation({
  summary: 'Get one port request with all details',
  params: ofPort,
  answer: one(portRequest),
  example: { params, answer: { data: example } },
});

export const savePort = operation({
  ...common,
  summary:
    'Update the draft, or fix what a carrier rejected. A change to the letter’s content voids its signature',
  body: portDraft,
  errors: ['port.not_now', 'port.open', 'port.mixed_types', 'carrier.unreachable'],
  example: {
    params,
    body: { account_number: '884213', requested_date: '2026-12-09' },
    answer: { data: example },
  },
});

export const submitPort = operation({
  ...common,
  summary:
    'Submit a complete request to the carrier, resubmit a rejected one, or send requested documents',
  body: z.object({ ...companyIn }),
  errors: ['port.not_now', 'port.not_portable', 'carrier.unreachable'],
  example: { params, body: {}, answer: { data: { ...example, status: 'submitted' } } },
});

export const cancelPort = operation({
  ...common,
  summary: 'Cancel the request; the numbers stay at their carrier',
  body: z.object({ reason: words(500).nullish(), ...companyIn }),
  errors: ['port.not_now', 'port.too_late', 'carrier.unreachable'],
  example: {
    params,
    body: { reason: 'We’re staying with our carrier' },
    answer: { data: { ...example, status: 'canceled' } },
  },
});
