import { z } from 'zod';
import { operation } from '../../operation.ts';
import { confirmKeyIn } from '../../routing/schemas/routes.ts';
import { companyIn, empty, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { contactTypes } from './rules.ts';
import { bodyIn, fields, forwardContact, type ForwardContact } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: ForwardContact = {
  id: 31,
  companyId: 1,
  name: 'Front desk phone',
  number: '+12125550147',
  extension: null,
  type: 'phone',
  user_id: null,
  user: null,
  caller_id_pass_thru: true,
  confirm_key: false,
  schedule_id: null,
  timezone: null,
  tags: [],
  notes: '',
  is_verified: true,
  verified_at: at,
  used_by_count: 2,
  last_answered_at: at,
  answer_rate_30d: 0.86,
  attempts_30d: 44,
  is_failing: false,
  createdAt: at,
  updatedAt: at,
};

const ofContact = { table: 'forward_contact', param: 'id' };

const which = z.object({ id });

export const listForwardContacts = operation({
  summary: 'List forwarding contacts: saved destinations that routes share',
  paged: true,
  query: listQuery(
    {
      sort: sortBy(
        'name',
        'number',
        'createdAt',
        'last_answered_at',
        'used_by_count',
        'answer_rate_30d',
      ),
      search: z.string().trim().max(100).optional(),
      type: z.enum(contactTypes).optional(),
      state: z.enum(['used', 'unused', 'failing']).optional(),
      tag: z.string().max(50).optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(forwardContact),
  example: { query: { search: 'desk' }, answer: { data: [example] } },
});

export const createForwardContact = operation({
  summary: 'Create a forwarding contact',
  status: 201,
  body: bodyIn,
  answer: one(forwardContact),
  errors: ['forwarding.exists'],
  example: {
    body: { name: 'Front desk phone', number: '(212) 555-0147', type: 'phone' },
    answer: { data: example },
  },
});

export const forwardContactStats = operation({
  summary:
    'Count forwarding contacts: all, unused, failing (under 20% answered of at least 20 calls in 30 days)',
  query: z.object({ ...companyIn }),
  answer: one(z.object({ total: z.number(), unused: z.number(), failing: z.number() })),
  example: { answer: { data: { total: 9, unused: 2, failing: 1 } } },
});

export const getForwardContact = operation({
  summary: 'Get one forwarding contact',
  object: ofContact,
  params: which,
  answer: one(forwardContact),
  example: { params: { id: 31 }, answer: { data: example } },
});

export const updateForwardContact = operation({
  summary:
    'Update a forwarding contact; every route that uses it follows at the next call. Fields left out stay unchanged',
  object: ofContact,
  params: which,
  etagOf: 'getForwardContact',
  body: z
    .object({
      name: fields.name,
      number: fields.number,
      extension: fields.extension,
      type: z.enum(contactTypes),
      user_id: fields.user_id,
      caller_id_pass_thru: z.boolean(),
      confirm_key: confirmKeyIn,
      schedule_id: fields.schedule_id,
      timezone: fields.timezone,
      tags: z
        .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
        .max(50),
      notes: z.string().trim().max(2000, 'At most 2000 characters.'),
    })
    .partial()
    .extend(companyIn),
  answer: one(forwardContact),
  errors: ['forwarding.exists'],
  example: {
    params: { id: 31 },
    body: { number: '(212) 555-0148' },
    answer: { data: { ...example, number: '+12125550148' } },
  },
});

export const deleteForwardContact = operation({
  summary: 'Delete a forwarding contact. If routes use it, name its replacement (replace_with)',
  object: ofContact,
  params: which,
  status: 204,
  query: z.object({ replace_with: id.optional(), ...companyIn }),
  answer: empty,
  errors: ['forwarding.in_use'],
  example: { params: { id: 31 }, query: { replace_with: 32 } },
});

export const forwardContactUsage = operation({
  summary: 'List the routes that use a forwarding contact',
  object: ofContact,
  params: which,
  answer: z.object({
    data: z.array(
      z.object({
        number_id: id,
        number: z.string(),
        label: z.string(),
        route_id: id,
        extension: z.number(),
        route_label: z.string(),
        position: z.number(),
        weight: z.number().nullable(),
      }),
    ),
  }),
  example: {
    params: { id: 31 },
    answer: {
      data: [
        {
          number_id: 11,
          number: '+14155552368',
          label: 'Front desk',
          route_id: 7,
          extension: 1,
          route_label: 'Sales',
          position: 0,
          weight: null,
        },
      ],
    },
  },
});

export const extensionSuggestions = operation({
  summary:
    'List labels and extensions in use, most used first; `meta.next` is the next free extension',
  query: z.object({
    search: z
      .string()
      .trim()
      .max(100)
      .optional()
      .meta({ description: 'Part of a label, or the start of an extension' }),
    number_ids: z
      .preprocess(
        (v) => (v === undefined || v === '' ? undefined : Array.isArray(v) ? v : [v]),
        z.array(id).min(1).max(100).optional(),
      )
      .meta({
        description: 'Only extensions of these numbers; by default all the company’s numbers',
      }),
    perPage: z.coerce
      .number<number>()
      .int()
      .min(1)
      .transform((n) => Math.min(n, 100))
      .default(10),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(
      z.object({
        label: z.string(),
        extension: z.number(),
        count: z.number().int().meta({ description: 'Numbers that use it' }),
      }),
    ),
    meta: z.object({ next: z.number().int().meta({ description: 'The next free extension' }) }),
  }),
  example: {
    query: { search: 'sal', perPage: 2 },
    answer: {
      data: [
        { label: 'Sales', extension: 1, count: 4 },
        { label: 'Salon', extension: 3, count: 1 },
      ],
      meta: { next: 4 },
    },
  },
});
