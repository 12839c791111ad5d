import { z } from 'zod';
import {
  companyIn,
  empty,
  endpoint,
  event,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import { confirmKey, confirmKeyIn, timezone } from './routing.ts';
import { destinationNumber } from './routing-rules.ts';

/** What a forwarding contact leads to (A6.6). */
export const contactTypes = ['phone', 'sip', 'user'] as const;
/** Failing: fewer than this share of at least so many calls in thirty days was answered (A6.6). */
export const failing = { share: 0.2, attempts: 20 } as const;

export const forwardContact = z.object({
  id,
  companyId: id,
  name: z.string(),
  number: z
    .string()
    .nullable()
    .meta({ description: 'E.164 or sip:; null: a person, rung in the app' }),
  extension: z.string().nullable().meta({ description: 'Dialed after it answers' }),
  type: z.enum(contactTypes),
  user_id: id.nullable(),
  user: z.object({ id, name: z.string() }).nullable(),
  caller_id_pass_thru: z.boolean(),
  confirm_key: confirmKey,
  schedule_id: id.nullable(),
  timezone: z.string().nullable(),
  tags: z.array(z.object({ id, name: z.string(), color: z.string() })),
  notes: z.string(),
  is_verified: z
    .boolean()
    .meta({ description: 'Someone has answered a call there since it got this number' }),
  verified_at: instant.nullable(),
  used_by_count: z.number().meta({ description: 'Routes that use it' }),
  last_answered_at: instant.nullable(),
  answer_rate_30d: z.number().nullable().meta({ description: '0 to 1; null: not rung in 30 days' }),
  attempts_30d: z.number(),
  is_failing: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});
export type ForwardContact = z.infer<typeof forwardContact>;

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

const fields = {
  name: z.string().trim().min(1, 'Enter a name.').max(120, 'At most 120 characters.'),
  number: z
    .string()
    .trim()
    .max(120)
    .nullish()
    .transform((typed, refine) => {
      if (typed === undefined) return undefined;
      if (typed === null || typed === '') return null;
      const number = destinationNumber(typed);
      if (number === null)
        refine.addIssue({ code: 'custom', message: 'Enter a valid phone number.' });
      return number;
    }),
  extension: z
    .string()
    .trim()
    .regex(/^[\d*#,]{0,12}$/, 'Use up to 12 digits; a comma waits one second.')
    .nullish()
    .transform((v) => (v === '' ? null : v)),
  type: z.enum(contactTypes).default('phone'),
  user_id: id.nullish(),
  caller_id_pass_thru: z.boolean().default(true),
  confirm_key: confirmKeyIn.default(false),
  schedule_id: id.nullish(),
  timezone: timezone.nullish(),
  tags: z
    .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
    .max(50)
    .default([]),
  notes: z.string().trim().max(2000, 'At most 2000 characters.').default(''),
};
const fits = (
  one: { type: string; number?: string | null | undefined; user_id?: number | null | undefined },
  refine: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void => {
  const say = (path: string, message: string) =>
    refine.addIssue({ code: 'custom', path: [path], message });
  if (one.type === 'user' && !one.user_id) say('user_id', 'Choose a person.');
  if (one.type === 'phone' && !one.number?.startsWith('+'))
    say('number', 'Enter a valid phone number.');
  if (one.type === 'sip' && !/^sips?:/i.test(one.number ?? ''))
    say('number', 'Enter a SIP address, such as sip:desk@example.com.');
};
const bodyIn = z.object({ ...fields, ...companyIn }).superRefine(fits);
export type ForwardContactIn = Omit<z.infer<typeof bodyIn>, 'companyId' | 'company_id'>;

const ofContact = { table: 'forward_contact', param: 'id' };
const which = z.object({ id });

export const listForwardContacts = endpoint({
  name: 'listForwardContacts',
  method: 'GET',
  path: '/forward-contacts',
  summary: 'List forwarding contacts: saved destinations that routes share',
  permission: 'routing.view',
  company: 'given',
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
export const createForwardContact = endpoint({
  name: 'createForwardContact',
  method: 'POST',
  path: '/forward-contacts',
  summary: 'Create a forwarding contact',
  permission: 'routing.edit',
  company: 'given',
  status: 201,
  body: bodyIn,
  answer: one(forwardContact),
  refusals: ['forwarding.exists'],
  example: {
    body: { name: 'Front desk phone', number: '(212) 555-0147', type: 'phone' },
    answer: { data: example },
  },
});
export const forwardContactStats = endpoint({
  name: 'forwardContactStats',
  method: 'GET',
  path: '/forward-contacts/stats',
  summary:
    'Count forwarding contacts: all, unused, failing (under 20% answered of at least 20 calls in 30 days)',
  permission: 'routing.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(z.object({ total: z.number(), unused: z.number(), failing: z.number() })),
  example: { answer: { data: { total: 9, unused: 2, failing: 1 } } },
});
export const getForwardContact = endpoint({
  name: 'getForwardContact',
  method: 'GET',
  path: '/forward-contacts/{id}',
  summary: 'Get one forwarding contact',
  permission: 'routing.view',
  company: 'object',
  object: ofContact,
  params: which,
  answer: one(forwardContact),
  example: { params: { id: 31 }, answer: { data: example } },
});
export const updateForwardContact = endpoint({
  name: 'updateForwardContact',
  method: 'PUT',
  path: '/forward-contacts/{id}',
  summary:
    'Update a forwarding contact; every route that uses it follows at the next call. Fields left out stay unchanged',
  permission: 'routing.edit',
  company: 'object',
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
  refusals: ['forwarding.exists'],
  example: {
    params: { id: 31 },
    body: { number: '(212) 555-0148' },
    answer: { data: { ...example, number: '+12125550148' } },
  },
});
export const deleteForwardContact = endpoint({
  name: 'deleteForwardContact',
  method: 'DELETE',
  path: '/forward-contacts/{id}',
  summary: 'Delete a forwarding contact. If routes use it, name its replacement (replace_with)',
  permission: 'routing.edit',
  company: 'object',
  object: ofContact,
  params: which,
  status: 204,
  query: z.object({ replace_with: id.optional(), ...companyIn }),
  answer: empty,
  refusals: ['forwarding.in_use'],
  example: { params: { id: 31 }, query: { replace_with: 32 } },
});
export const forwardContactUsage = endpoint({
  name: 'forwardContactUsage',
  method: 'GET',
  path: '/forward-contacts/{id}/usage',
  summary: 'List the routes that use a forwarding contact',
  permission: 'routing.view',
  company: 'object',
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

/** Extensions in use by label and digit, for filters and pickers (A22); `meta.next` is the next free digit (B §5). */
export const extensionSuggestions = endpoint({
  name: 'extensionSuggestions',
  method: 'GET',
  path: '/extension-suggestions',
  permission: 'routing.view',
  summary:
    'List labels and extensions in use, most used first; `meta.next` is the next free extension',
  company: 'given',
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

const lists = [
  'listForwardContacts',
  'forwardContactStats',
  'getForwardContact',
  'forwardContactUsage',
] as const;
/** A forwarding contact was made or changed. `moved`: it leads somewhere else now, so what routes say in short is stale. */
export const forwardContactChanged = event({
  name: 'forward_contact.changed',
  channel: 'companies',
  data: z.object({ contactId: id, name: z.string(), added: z.boolean(), moved: z.boolean() }),
  touches: [...lists, 'getNumber'],
});
/** It is gone. `replacedBy` takes its place in every route that named it. */
export const forwardContactDeleted = event({
  name: 'forward_contact.deleted',
  channel: 'companies',
  data: z.object({ contactId: id, name: z.string(), replacedBy: id.nullable() }),
  touches: [...lists, 'getNumber'],
});
