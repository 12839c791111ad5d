import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { numberExample } from '../examples.ts';
import { numberSorts } from '../rules.ts';
import { numberFilters } from '../schemas/buying.ts';
import { numberDetail, numberRow, numberSlim } from '../schemas/number.ts';

const listed = listQuery(
  {
    ...numberFilters,
    sort: sortBy(...numberSorts),
    withTrashed: flag.optional().meta({ description: 'Include released numbers (administrators)' }),
  },
  { perPage: 25 },
);

export const listNumbers = operation({
  summary: 'List the company’s numbers with their settings',
  paged: true,
  errors: ['role.forbidden'],
  query: listed,
  answer: pageOf(numberDetail),
  example: { query: { search: '415' }, answer: { data: [numberExample] } },
});

export const listNumbersDatatable = operation({
  summary: 'List rows of the numbers table',
  paged: true,
  errors: ['role.forbidden'],
  query: listed,
  answer: pageOf(numberRow),
  example: {
    query: { sms: true, sort: 'label', dir: 'asc' },
    answer: {
      data: [
        {
          id: 11,
          number: '+14155552368',
          formatted: '(415) 555-2368',
          label: 'Front desk',
          category: 2,
          kind: 1,
          status: 'active',
          routingType: 'standard',
          forwardNumber: null,
          tags: [],
          region: 'CA',
          city: 'San Francisco',
          sms_enabled: true,
          sms_verification: { status: null, needed: false },
          dni_pool: null,
          record: false,
          unread_messages_count: 0,
          last_call_at: null,
          last_message_at: null,
          returns_at: null,
          purchased_at: '2026-11-21T09:15:04.000Z',
          eavAttributeValues: [],
        },
      ],
    },
  },
});

export const listNumbersOfCompany = operation({
  summary: 'List all numbers of a company in short form',
  params: z.object({ id: id.meta({ description: 'The company' }) }),
  answer: z.object({ data: z.array(numberSlim) }),
  example: {
    params: { id: 1 },
    answer: {
      data: [
        {
          id: 11,
          number: '+14155552368',
          formatted: '(415) 555-2368',
          label: 'Front desk',
          sms_enabled: true,
          category: 2,
          status: 'active',
        },
      ],
    },
  },
});

export const numberStats = operation({
  summary: 'Count the company’s numbers',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      total: z.number(),
      local: z.number(),
      toll_free: z.number(),
      fax: z.number(),
      bulk: z.number(),
      sms_enabled: z.number(),
      verified: z.number(),
      in_pools: z.number(),
      unused_30d: z.number(),
      pending_ports: z.number(),
      releasing: z.number(),
    }),
  ),
  example: {
    answer: {
      data: {
        total: 12,
        local: 9,
        toll_free: 2,
        fax: 1,
        bulk: 0,
        sms_enabled: 11,
        verified: 0,
        in_pools: 0,
        unused_30d: 3,
        pending_ports: 0,
        releasing: 0,
      },
    },
  },
});

export const companyAreaCodes = operation({
  summary: 'List area codes of the company’s numbers, most used first',
  params: z.object({ companyId: id }),
  answer: z.object({
    data: z.array(
      z.object({
        area_code: z.string(),
        state: z.string().nullable(),
        region: z.string(),
        timezone: z.string().nullable(),
        is_toll_free: z.boolean(),
        count: z.number(),
      }),
    ),
  }),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          area_code: '415',
          state: 'CA',
          region: 'California',
          timezone: 'America/Los_Angeles',
          is_toll_free: false,
          count: 4,
        },
      ],
    },
  },
});
