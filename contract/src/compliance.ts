import { z } from 'zod';
import { companyIn, empty, endpoint, event, flag, id, instant, one } from './kit.ts';

/** Words that a carrier's rules reserve: the whole message, case and punctuation aside. */
export const optOutWords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
] as const;
export const optInWords = ['START', 'YES', 'UNSTOP'] as const;
export const helpWords = ['HELP', 'INFO'] as const;

/** Why a text may not be sent now. The reason travels untouched from the rule to the screen. */
export const textBlockReasons = [
  'contact_opted_out',
  'blocked',
  'number_not_verified',
  'no_sms',
  'number_gone',
  'carrier_gone',
  'anonymous',
] as const;
export type TextBlockReason = (typeof textBlockReasons)[number];
/** Each reason's refusal, and so its sentence. */
export const errorCodeOfReason = {
  contact_opted_out: 'contact.unsubscribed',
  blocked: 'contact.blocked',
  number_not_verified: 'number.not_verified',
  no_sms: 'number.no_sms',
  number_gone: 'number.gone',
  carrier_gone: 'number.carrier_gone',
  anonymous: 'contact.anonymous',
} as const satisfies Record<TextBlockReason, string>;

export const optOutSources = [
  'keyword',
  'carrier_error',
  'manual',
  'import',
  'api',
  'complaint',
] as const;

/** A §3 Block with its A5.2 meanings. `target` is E.164, `anonymous`, or a prefix such as `+1900*`. */
export const block = z.object({
  id,
  global: z
    .boolean()
    .meta({ description: 'Platform-wide; only platform staff in admin mode can create one' }),
  target: z.string(),
  action: z
    .union([z.literal(0), z.literal(1)])
    .meta({ description: '1 block, 0 allow (an exception)' }),
  company_id: id,
  number_id: id.nullable().meta({ description: 'null: every number in the company' }),
  contact: z.object({ id, name: z.string() }).nullable(),
  created_at: instant,
  created_by: z.object({ id, name: z.string() }).nullable(),
});
const blockExample = {
  id: 501,
  global: false,
  target: '+12125550147',
  action: 1 as const,
  company_id: 1,
  number_id: null,
  contact: { id: 77, name: 'Dana Reed' },
  created_at: '2026-11-21T09:15:04.000Z',
  created_by: { id: 5, name: 'Una User' },
};

export const listBlocks = endpoint({
  name: 'listBlocks',
  method: 'GET',
  path: '/blocks/{companyId}',
  summary: 'List blocked callers, newest first, ten per page',
  permission: 'blocks.edit',
  company: 'path',
  params: z.object({ companyId: id }),
  query: z.object({
    page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
    perPage: z.coerce
      .number<number>()
      .int()
      .min(1)
      .transform((n) => Math.min(n, 250))
      .default(10),
    search: z.string().trim().max(60).optional(),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(block),
    total: z.number(),
    last_page: z.number(),
    current_page: z.number(),
    per_page: z.number(),
  }),
  example: {
    params: { companyId: 1 },
    query: { page: 1 },
    answer: { data: [blockExample], total: 1, last_page: 1, current_page: 1, per_page: 10 },
  },
});
export const addBlock = endpoint({
  name: 'addBlock',
  method: 'POST',
  path: '/blocks',
  summary: 'Block a caller, all anonymous callers or a prefix, or add an exception (action 0)',
  permission: 'blocks.edit',
  company: 'given',
  status: 201,
  refusals: ['block.exists', 'block.own_number', 'role.forbidden'],
  body: z.object({
    target: z.string().trim().min(1, 'Enter a number to block.').max(40),
    action: z.coerce
      .number<number>()
      .pipe(z.union([z.literal(0), z.literal(1)]))
      .default(1),
    global: flag.default(false),
    number_id: id.nullable().optional(),
    ...companyIn,
  }),
  answer: one(block),
  example: {
    body: { target: '+12125550147', action: 1, global: false, company_id: 1, number_id: null },
    answer: { data: blockExample },
  },
});
export const removeBlock = endpoint({
  name: 'removeBlock',
  method: 'DELETE',
  path: '/blocks/{id}',
  summary: 'Unblock a caller',
  permission: 'blocks.edit',
  company: 'object',
  object: { table: 'block', param: 'id' },
  status: 204,
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 501 } },
});

const blockEventData = z.object({
  blockId: id,
  target: z.string(),
  action: z.union([z.literal(0), z.literal(1)]),
  numberId: id.nullable(),
  global: z.boolean(),
  byUserId: id.nullable(),
  byName: z.string(),
});
const invalidatedEndpoints = [
  'listBlocks',
  'listConversations',
  'getConversation',
  'previewCampaign',
];
export const blockAdded = event({
  name: 'block.added',
  channel: 'companies',
  touches: invalidatedEndpoints,
  data: blockEventData,
  about: ['numberId'],
});
export const blockRemoved = event({
  name: 'block.removed',
  channel: 'companies',
  touches: invalidatedEndpoints,
  data: blockEventData,
  about: ['numberId'],
});

/** `number` is the other party's; an opt-out counts for the whole company. `numberId`: ours that was written to, when there was one. */
const optOutEventData = z.object({
  number: z.string(),
  numberId: id.nullable(),
  source: z.enum(optOutSources),
  at: instant,
});
const seen = [
  'getConversation',
  'listConversations',
  'getContact',
  'listContacts',
  'contactTimeline',
  'previewCampaign',
];
export const contactOptedOut = event({
  name: 'contact.opted_out',
  channel: 'companies',
  touches: seen,
  data: optOutEventData,
});
export const contactOptedIn = event({
  name: 'contact.opted_in',
  channel: 'companies',
  touches: seen,
  data: optOutEventData,
});
/** What the ledger holds about a number whose contact was just made, or got that number. Heard by contacts. */
export const optOutSynced = event({
  name: 'opt_out.known',
  channel: null,
  data: z.object({ number: z.string(), optedOutAt: instant.nullable() }),
});
/** The same about many numbers that got contacts at once; null: none is held against it. */
export const optOutsSynced = event({
  name: 'opt_outs.known',
  channel: null,
  data: z.object({
    rows: z.array(z.object({ number: z.string(), optedOutAt: instant.nullable() })),
  }),
});
