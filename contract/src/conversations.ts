import { z } from 'zod';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import { callerIdExample, enhancedCallerId, lookupRefusals } from './calls.ts';
import { contactBrief } from './contacts.ts';
import { eavFilter, fieldValue } from './fields.ts';
import { faxStates } from './fax.ts';
import { textBlockReasons } from './compliance.ts';
import { searchProblem } from './search-words.ts';

// ---- constants -----------------------------------------------------------------------------------------------------

export const itemKinds = [
  'message',
  'call',
  'voicemail',
  'fax',
  'note',
  'block',
  'scheduledmessage',
  'trackingmatch',
] as const;
export type ItemKind = (typeof itemKinds)[number];
/** Kinds that make a conversation unread and stand on an activity list. */
export const activityKinds = ['call', 'message', 'voicemail', 'fax'] as const;
export type ActivityKind = (typeof activityKinds)[number];
/** A5.2. `unknown`: the carrier never answered; nobody sends it again by himself. */
export const deliveryStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'received',
  'scheduled',
  'canceled',
  'unknown',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const finalDeliveryStates: readonly DeliveryState[] = [
  'delivered',
  'undelivered',
  'failed',
  'received',
  'canceled',
];

/** A §9: characters of a text, with or without pictures. */
export const messageLimit = 1000;
/** A10: what one message may carry. */
export const mediaLimits = { files: 10, localBytes: 3_500_000, tollFreeBytes: 525_000 } as const;
/** A10: how soon and how late a text may be scheduled, in seconds. */
export const scheduleLimits = { soonest: 60, latest: 365 * 86_400 } as const;

// ---- shapes --------------------------------------------------------------------------------------------------------

const ourNumber = z.object({ id, number: z.string(), label: z.string() });
/** `url` is signed and lives 15 minutes; read the item again for a fresh one. `bytes` 0: not measured. */
const media = z.object({ url: z.string(), type: z.string(), bytes: z.number(), name: z.string() });
const deliveryState = z.enum(deliveryStates);

/** What a text that nobody wrote was: the confirmations of reserved words, a keyword's answer, a number's own words. */
export const automaticKinds = [
  'stop',
  'start',
  'help',
  'keyword',
  'after_hours',
  'text_back',
] as const;
export type AutomaticKind = (typeof automaticKinds)[number];
/** `errorCode` is ours (`opted_out`, `landline`, `blocked`, `unreachable`, `rejected`, `carrier_away`), `errorText` a sentence. `clientKey` is the sender's own mark, so that a screen can match what it showed before the answer. */
export const messageDetails = z.object({
  content: z.string(),
  deliveryState,
  errorCode: z.string().nullable(),
  errorText: z.string().nullable(),
  media: z.array(media),
  segments: z.number(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  type: z.enum(['message', 'media']),
  clientKey: z.string().nullable(),
  automatic: z.enum(automaticKinds).nullable(),
});
/** `status` and `outcome` are the codes of A §4; status 1 is a call still going on. `duration` in seconds. */
export const callDetails = z.object({
  callId: id,
  status: z.number(),
  outcome: z.number(),
  duration: z.number(),
  recordingUrl: z.string().nullable(),
  answeredBy: z.string().nullable(),
  source: z.string().nullable(),
  extensionLabel: z.string().nullable(),
});
export const voicemailDetails = z.object({
  callId: id,
  voicemailId: id,
  duration: z.number(),
  url: z.string().nullable(),
  transcription: z.string().nullable(),
  transcriptionState: z.enum(['none', 'ready', 'failed', 'skipped']),
});
/** `url` is the PDF, `preview` its first page as a picture; all pages: GET /fax/{faxId}. `errorText` is a sentence. */
export const faxDetails = z.object({
  faxId: id,
  pages: z.number(),
  url: z.string().nullable(),
  state: z.enum(faxStates),
  name: z.string(),
  preview: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorText: z.string().nullable(),
});
export const noteDetails = z.object({
  noteId: id,
  body: z.string(),
  userId: id.nullable(),
  edited: z.boolean(),
  model_type: z.string(),
  model_id: id,
});
export const blockDetails = z.object({
  action: z.union([z.literal(0), z.literal(1)]),
  actor: z.string(),
});
export const scheduledDetails = z.object({
  content: z.string(),
  media: z.array(media),
  segments: z.number(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  sendAt: instant,
  state: z.enum(['pending', 'sent', 'canceled', 'failed']),
  cancelIfReply: z.boolean(),
  because: z.string().nullable(),
  clientKey: z.string().nullable(),
});
export const trackingDetails = z.object({
  source: z.string(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  landingUrl: z.string().nullable(),
  confidence: z.number(),
  matchedAt: instant,
});

const itemBase = {
  id,
  conversationId: id,
  isInbound: z.boolean(),
  createdAt: instant,
  readAt: instant.nullable(),
  actor: z.object({ userId: id, name: z.string() }).nullable(),
  number: ourNumber,
};
/** One thing in a conversation. `kind` says which `details` it has. Calls and the system's own items have no actor. */
export const item = z.discriminatedUnion('kind', [
  z.object({ ...itemBase, kind: z.literal('message'), details: messageDetails }),
  z.object({ ...itemBase, kind: z.literal('call'), details: callDetails }),
  z.object({ ...itemBase, kind: z.literal('voicemail'), details: voicemailDetails }),
  z.object({ ...itemBase, kind: z.literal('fax'), details: faxDetails }),
  z.object({ ...itemBase, kind: z.literal('note'), details: noteDetails }),
  z.object({ ...itemBase, kind: z.literal('block'), details: blockDetails }),
  z.object({ ...itemBase, kind: z.literal('scheduledmessage'), details: scheduledDetails }),
  z.object({ ...itemBase, kind: z.literal('trackingmatch'), details: trackingDetails }),
]);
export type Item = z.infer<typeof item>;

const unreadCounts = z.object({
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});
/** A §3 Conversation: everything between one of our numbers and one other party. `whyNotText` null: a text may be sent. */
export const conversation = z.object({
  id,
  conversationId: id.meta({ description: 'Same as id' }),
  lastActivityAt: instant,
  recipient: z.string().meta({ description: 'E.164 number of the other party, or `anonymous`' }),
  number: ourNumber,
  contact: contactBrief.omit({ email: true }).nullable(),
  latestItem: z
    .object({
      id,
      isInbound: z.boolean(),
      createdAt: instant,
      type: z.enum(itemKinds),
      details: z.record(z.string(), z.unknown()),
    })
    .nullable(),
  numUnreadItems: z.number(),
  unread: unreadCounts,
  isArchived: z.boolean(),
  isBlocked: z.boolean(),
  isUnsubscribed: z.boolean(),
  whyNotText: z.enum(textBlockReasons).nullable(),
  enhancedCallerId: z
    .object({ name: z.string().nullable(), type: z.string(), line_type: z.string() })
    .nullable(),
  createdAt: instant,
  assignee: z.object({ id, name: z.string() }).nullable().meta({ description: 'The assignee' }),
  snoozedUntil: instant.nullable().meta({
    description: 'Snoozed until then; a snoozed conversation is archived too (isArchived)',
  }),
});
export type Conversation = z.infer<typeof conversation>;
/** An item as lists outside its conversation show it. */
const inboxItemShape = {
  recipient: z.string(),
  contact: contactBrief.pick({ id: true, name: true }).nullable(),
};
export const inboxItem = z.intersection(
  item,
  z.object({
    ...inboxItemShape,
    eavAttributeValues: z
      .array(fieldValue)
      .optional()
      .meta({ description: 'Of the call, on calls and voicemails in POST /activity' }),
    itemId: id.optional().meta({
      description:
        'In POST /activity: the item in its conversation. There a call’s `id` is that of GET /calls/{id}, a fax’s that of GET /fax/{id}',
    }),
  }),
);
export type InboxItem = z.infer<typeof inboxItem>;

// ---- examples ------------------------------------------------------------------------------------------------------

const at = '2026-11-21T09:15:04.000Z';
const numberExample = { id: 12, number: '+14155552368', label: 'Main line' };
export const itemExample: Item = {
  id: 7001,
  conversationId: 9001,
  kind: 'message',
  isInbound: true,
  createdAt: at,
  readAt: null,
  actor: null,
  number: numberExample,
  details: {
    content: 'Can I come at noon?',
    deliveryState: 'received',
    errorCode: null,
    errorText: null,
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    type: 'message',
    clientKey: null,
    automatic: null,
  },
};
const sentExample: Item = {
  ...itemExample,
  id: 7002,
  isInbound: false,
  readAt: at,
  actor: { userId: 5, name: 'Una User' },
  details: {
    content: 'Noon is fine.',
    deliveryState: 'queued',
    errorCode: null,
    errorText: null,
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    type: 'message',
    clientKey: 'c-81',
    automatic: null,
  },
};
const scheduledExample: Item = {
  ...itemExample,
  id: 7003,
  kind: 'scheduledmessage',
  isInbound: false,
  readAt: at,
  actor: { userId: 5, name: 'Una User' },
  details: {
    content: 'See you tomorrow.',
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    sendAt: '2026-11-22T15:00:00.000Z',
    state: 'pending',
    cancelIfReply: true,
    because: null,
    clientKey: null,
  },
};
export const conversationExample: Conversation = {
  id: 9001,
  conversationId: 9001,
  lastActivityAt: at,
  recipient: '+12125550147',
  number: numberExample,
  contact: {
    id: 77,
    name: 'Dana Reed',
    number: '+12125550147',
    companyName: '',
    isUnsubscribed: false,
  },
  latestItem: {
    id: 7001,
    isInbound: true,
    createdAt: at,
    type: 'message',
    details: { ...itemExample.details },
  },
  numUnreadItems: 1,
  unread: { messages: 1, calls: 0, voicemails: 0, faxes: 0 },
  isArchived: false,
  isBlocked: false,
  isUnsubscribed: false,
  whyNotText: null,
  enhancedCallerId: null,
  createdAt: at,
  assignee: null,
  snoozedUntil: null,
};
export const inboxItemExample = {
  ...itemExample,
  recipient: '+12125550147',
  contact: { id: 77, name: 'Dana Reed' },
};
const inCompany = { companyId: 1 };
const oneExample = { companyId: 1, id: 9001 };
const itemParams = { companyId: 1, id: 9001, itemId: 7001 };

// ---- reading -------------------------------------------------------------------------------------------------------

const companyId = z.object({ companyId: id });
const conversationId = z.object({ companyId: id, id });
const itemId = z.object({ companyId: id, id, itemId: id });
const ofConversation = { table: 'conversation', param: 'id' };
const many = <T>(one: z.ZodType<T>, max: number) =>
  z.preprocess(
    (v) => (v === undefined || v === null || v === '' ? undefined : Array.isArray(v) ? v : [v]),
    z.array(one).max(max).optional(),
  );
const kinds = z.enum(itemKinds);
const searching = {
  search: z
    .string()
    .trim()
    .max(200)
    .superRefine((typed, { addIssue }) => {
      const why = searchProblem(typed);
      if (why) addIssue(why);
    })
    .optional()
    .meta({
      description:
        'A phone number in any format, words, or from: to: label: has:media before: after: assigned: is:unread',
    }),
  types: many(kinds, itemKinds.length),
  numbers: many(id, 500).meta({ description: 'IDs of your numbers' }),
  updatedAfter: z.iso
    .datetime({ offset: true })
    .or(z.iso.date())
    .optional()
    .meta({ description: 'When searching, the last two years by default' }),
  allTime: flag.optional().meta({ description: 'Search everything, not only the last two years' }),
};

export const listConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/companies/{companyId}/conversations',
  summary:
    'List inbox conversations by latest activity. `meta.next_cursor` continues, `meta.counts` (with counts=1) counts the unread',
  permission: 'inbox.view',
  company: 'path',
  paged: true,
  params: companyId,
  query: listQuery(
    {
      sort: sortBy('lastActivityAt'),
      isArchived: flag.optional(),
      isUnread: flag.optional(),
      isSnoozed: flag.optional(),
      counts: flag.optional(),
      ...searching,
      assigned: z
        .union([z.enum(['me', 'none']), id])
        .optional()
        .meta({ description: 'me, none (unassigned), or a person’s ID' }),
    },
    { perPage: 5 },
  ),
  answer: pageOf(conversation),
  example: {
    params: inCompany,
    query: { perPage: 25, isArchived: false },
    answer: { data: [conversationExample] },
  },
});
export const getConversation = endpoint({
  name: 'getConversation',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}',
  summary: 'Get one conversation',
  permission: 'inbox.view',
  company: 'path',
  params: conversationId,
  query: z.object({ ...companyIn }),
  answer: one(conversation),
  example: { params: oneExample, answer: { data: conversationExample } },
});
export const listConversationItems = endpoint({
  name: 'listConversationItems',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/items',
  summary:
    'List the items in a conversation, newest first. `meta.next_cursor` continues to older ones',
  permission: 'inbox.view',
  company: 'path',
  paged: true,
  params: conversationId,
  query: listQuery(
    {
      types: many(kinds, itemKinds.length),
      around: id.optional().meta({ description: 'The page that holds this item' }),
    },
    { perPage: 50 },
  ),
  answer: pageOf(item),
  example: { params: oneExample, query: { perPage: 50 }, answer: { data: [itemExample] } },
});
export const getConversationItem = endpoint({
  name: 'getConversationItem',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  summary: 'Get one item, with fresh links to its pictures and audio',
  permission: 'inbox.view',
  company: 'path',
  params: itemId,
  query: z.object({ ...companyIn }),
  answer: one(item),
  example: { params: itemParams, answer: { data: itemExample } },
});
export const listInboxItems = endpoint({
  name: 'listInboxItems',
  method: 'GET',
  path: '/inbox/conversations/items',
  summary: 'Search conversation items, newest first',
  permission: 'inbox.view',
  company: 'given',
  paged: true,
  query: listQuery({ isArchived: flag.optional(), ...searching }, { perPage: 25 }),
  answer: pageOf(inboxItem),
  example: { query: { companyId: 1, search: 'noon' }, answer: { data: [inboxItemExample] } },
});
export const lookUpSender = endpoint({
  name: 'lookUpSender',
  method: 'GET',
  path: '/messages/{id}/enhanced-caller-id',
  summary: 'Look up the other party’s number',
  permission: 'inbox.view',
  company: 'object',
  object: { table: 'conversation_item', param: 'id' },
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  refusals: lookupRefusals,
  answer: one(enhancedCallerId),
  example: { params: { id: 7001 }, answer: { data: callerIdExample } },
});

// ---- keeping order -------------------------------------------------------------------------------------------------

const none = z.object({ ...companyIn }).optional();
export const archiveConversation = endpoint({
  name: 'archiveConversation',
  method: 'PUT',
  path: '/inbox/conversations/{id}/archive',
  summary: 'Archive a conversation; new activity restores it',
  permission: 'inbox.view',
  company: 'object',
  object: ofConversation,
  params: z.object({ id }),
  body: none,
  answer: one(conversation),
  example: { params: { id: 9001 }, answer: { data: { ...conversationExample, isArchived: true } } },
});
export const restoreConversation = endpoint({
  name: 'restoreConversation',
  method: 'PUT',
  path: '/inbox/conversations/{id}/restore',
  summary: 'Restore a conversation to the inbox',
  permission: 'inbox.view',
  company: 'object',
  object: ofConversation,
  params: z.object({ id }),
  body: none,
  answer: one(conversation),
  example: { params: { id: 9001 }, answer: { data: conversationExample } },
});
export const readConversation = endpoint({
  name: 'readConversation',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/read-all',
  summary: 'Mark everything in a conversation as read',
  permission: 'inbox.view',
  company: 'path',
  params: conversationId,
  body: none,
  answer: one(conversation),
  example: {
    params: oneExample,
    answer: {
      data: {
        ...conversationExample,
        numUnreadItems: 0,
        unread: { messages: 0, calls: 0, voicemails: 0, faxes: 0 },
      },
    },
  },
});
export const readItem = endpoint({
  name: 'readItem',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}/read',
  summary: 'Mark one item as read',
  permission: 'inbox.view',
  company: 'path',
  params: itemId,
  body: none,
  answer: one(item),
  example: { params: itemParams, answer: { data: { ...itemExample, readAt: at } } },
});
export const unreadItem = endpoint({
  name: 'unreadItem',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}/unread',
  summary: 'Mark one item as unread',
  permission: 'inbox.view',
  company: 'path',
  params: itemId,
  body: none,
  answer: one(item),
  example: { params: itemParams, answer: { data: itemExample } },
});
export const bulkTypes = [
  'archive',
  'restore',
  'read',
  'unread',
  'block',
  'unblock',
  'delete',
] as const;
export const bulkUpdateConversations = endpoint({
  name: 'bulkUpdateConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/bulk-update',
  summary:
    'Archive, restore, mark read or unread, block, unblock or delete many conversations. `delete` needs inbox.delete',
  permission: 'inbox.view',
  company: 'path',
  refusals: ['role.forbidden'],
  params: companyId,
  body: z.object({
    ids: z.array(id).min(1, 'Choose at least one conversation.').max(1000),
    type: z.enum(bulkTypes),
    ...companyIn,
  }),
  answer: one(z.object({ updated: z.array(id), unchanged: z.array(id) })),
  example: {
    params: inCompany,
    body: { ids: [9001], type: 'archive' },
    answer: { data: { updated: [9001], unchanged: [] } },
  },
});
/** `all` means every kind. The given names of the types are singular; plurals are understood. */
const readTypes = z
  .string()
  .transform(
    (v) => ({ messages: 'message', calls: 'call', voicemails: 'voicemail', faxes: 'fax' })[v] ?? v,
  )
  .pipe(z.enum([...activityKinds, 'all']));
export const readAllByType = endpoint({
  name: 'readAllByType',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/read-all-by-type',
  summary: 'Mark every message, call, voicemail or fax as read, for some numbers or all',
  permission: 'inbox.view',
  company: 'path',
  params: companyId,
  body: z.object({ type: readTypes, numbers: z.array(id).max(500).optional(), ...companyIn }),
  answer: one(z.object({ items: z.number(), conversations: z.number() })),
  example: {
    params: inCompany,
    body: { type: 'message', numbers: [12] },
    answer: { data: { items: 4, conversations: 2 } },
  },
});
export const deleteItem = endpoint({
  name: 'deleteItem',
  method: 'DELETE',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  summary:
    'Delete one item for everyone; a scheduled message is canceled first. Recorded in the audit log',
  permission: 'inbox.delete',
  company: 'path',
  status: 204,
  params: itemId,
  answer: empty,
  example: { params: itemParams },
});
export const deleteMessages = endpoint({
  name: 'deleteMessages',
  method: 'DELETE',
  path: '/companies/{companyId}/conversations/{id}/messages',
  summary:
    'Delete a conversation’s messages; calls, voicemails, faxes and notes stay. Recorded in the audit log',
  permission: 'inbox.delete',
  company: 'path',
  status: 204,
  params: conversationId,
  answer: empty,
  example: { params: oneExample },
});

// ---- writing -------------------------------------------------------------------------------------------------------

const text = z.string().max(messageLimit, `Max ${messageLimit} characters per message`);
/** Files come as multipart fields `media[]`: jpeg, png, gif, webp, mp3, wav, mp4, pdf, vcf, plain text. Into an existing conversation, or from one of our numbers (`numberId`) to somebody (`to`). */
const sending = {
  message: text.default(''),
  conversationId: id.optional(),
  numberId: id.optional(),
  to: z.string().trim().max(40).optional(),
  media: z.array(z.unknown()).max(0, 'Send files as multipart media[].').optional(),
  clientKey: z.string().max(60).optional(),
  ...companyIn,
};
const sendRefusals = [
  'contact.unsubscribed',
  'contact.blocked',
  'contact.anonymous',
  'number.not_verified',
  'number.no_sms',
  'number.gone',
  'message.empty',
  'message.media_too_large',
  'message.media_too_many',
  'message.media_unknown',
  'message.no_recipient',
  'message.too_soon',
  'message.too_late',
] as const;

export const sendMessage = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/message',
  summary:
    'Send a text, pictures or both. The response is the queued item; status changes arrive as conversation-updated',
  permission: 'inbox.send',
  company: 'given',
  multipart: true,
  status: 201,
  refusals: sendRefusals,
  body: z.object({
    ...sending,
    shouldBeSentAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .meta({ description: 'When set: same as POST /inbox/message/schedule' }),
  }),
  answer: one(item),
  example: {
    body: { companyId: 1, conversationId: 9001, message: 'Noon is fine.', clientKey: 'c-81' },
    answer: { data: sentExample },
  },
});
export const scheduleMessage = endpoint({
  name: 'scheduleMessage',
  method: 'POST',
  path: '/inbox/message/schedule',
  summary:
    'Schedule a message for one minute to one year from now. A reply cancels it when cancelIfReply is set',
  permission: 'inbox.send',
  company: 'given',
  multipart: true,
  status: 201,
  refusals: sendRefusals,
  body: z.object({
    ...sending,
    shouldBeSentAt: z.iso.datetime({ offset: true, message: 'Choose a time.' }),
    cancelIfReply: flag.default(false),
  }),
  answer: one(item),
  example: {
    body: {
      companyId: 1,
      conversationId: 9001,
      message: 'See you tomorrow.',
      shouldBeSentAt: '2026-11-22T15:00:00.000Z',
      cancelIfReply: true,
    },
    answer: { data: scheduledExample },
  },
});
export const changeScheduled = endpoint({
  name: 'changeScheduled',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  summary: 'Update or cancel a scheduled message before it’s sent',
  permission: 'inbox.send',
  company: 'path',
  refusals: ['message.not_scheduled', 'message.too_soon', 'message.too_late', 'message.empty'],
  params: itemId,
  body: z.object({
    message: text.optional(),
    shouldBeSentAt: z.iso.datetime({ offset: true }).optional(),
    cancelIfReply: flag.optional(),
    state: z.literal('canceled').optional(),
    ...companyIn,
  }),
  answer: one(item),
  example: {
    params: { ...itemParams, itemId: 7003 },
    body: { state: 'canceled' },
    answer: { data: scheduledExample },
  },
});
export const converse = endpoint({
  name: 'converse',
  method: 'POST',
  path: '/calls/{id}/converse',
  summary: 'Text the other party of a call, from the number the call was on',
  permission: 'inbox.send',
  company: 'object',
  object: { table: 'call', param: 'id' },
  status: 201,
  refusals: sendRefusals,
  params: z.object({ id }),
  body: z.object({
    message: text.min(1, 'Enter a message.'),
    clientKey: z.string().max(60).optional(),
    ...companyIn,
  }),
  answer: one(item),
  example: {
    params: { id: 48213377024 },
    body: { message: 'Sorry we missed you. How can we help?' },
    answer: { data: sentExample },
  },
});

// ---- notes (A25) ---------------------------------------------------------------------------------------------------

export const noteModels = [
  'call',
  'message',
  'voicemail',
  'fax',
  'contact',
  'conversation',
  'number',
  'campaign',
] as const;
export const note = z.object({
  id,
  body: z.string(),
  model_type: z.enum(noteModels),
  model_id: id,
  user: z.object({ id, name: z.string() }).nullable(),
  mentions: z.array(id),
  created_at: instant,
  updated_at: instant,
  edited: z.boolean(),
});
const noteExample = {
  id: 88,
  body: 'Asked about whitening.',
  model_type: 'conversation' as const,
  model_id: 9001,
  user: { id: 5, name: 'Una User' },
  mentions: [],
  created_at: at,
  updated_at: at,
  edited: false,
};
const noteBody = z
  .string()
  .trim()
  .min(1, 'Enter a note.')
  .max(5000, 'A note can have at most 5,000 characters.');
export const addNote = endpoint({
  name: 'addNote',
  method: 'POST',
  path: '/notes',
  summary: 'Add a note to a call, a conversation or another record; only teammates see it',
  permission: 'notes.edit',
  company: 'given',
  status: 201,
  body: z.object({
    model_type: z.enum(noteModels),
    model_id: id,
    body: noteBody,
    mentions: z.array(id).max(20).optional(),
    ...companyIn,
  }),
  answer: one(note),
  example: {
    body: {
      company_id: 1,
      model_type: 'conversation',
      model_id: 9001,
      body: 'Asked about whitening.',
    },
    answer: { data: noteExample },
  },
});
export const updateNote = endpoint({
  name: 'updateNote',
  method: 'PUT',
  path: '/notes/{id}',
  summary: 'Update a note; users can update only their own',
  permission: 'notes.edit',
  company: 'object',
  object: { table: 'note', param: 'id' },
  refusals: ['note.not_yours'],
  params: z.object({ id }),
  body: z.object({ body: noteBody, mentions: z.array(id).max(20).optional(), ...companyIn }),
  answer: one(note),
  example: {
    params: { id: 88 },
    body: { body: 'Asked about whitening, twice.' },
    answer: { data: { ...noteExample, edited: true } },
  },
});
export const deleteNote = endpoint({
  name: 'deleteNote',
  method: 'DELETE',
  path: '/notes/{id}',
  summary: 'Delete a note; users can delete only their own',
  permission: 'notes.edit',
  company: 'object',
  object: { table: 'note', param: 'id' },
  status: 204,
  refusals: ['note.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 88 } },
});
/** Notes shown by other records: the call's page reads its own. */
export const listNotes = endpoint({
  name: 'listNotes',
  method: 'GET',
  path: '/notes',
  summary: 'List the notes on one record, oldest first',
  permission: 'notes.edit',
  company: 'given',
  query: z.object({ model_type: z.enum(noteModels), model_id: id, ...companyIn }),
  answer: z.object({ data: z.array(note) }),
  example: {
    query: { company_id: 1, model_type: 'call', model_id: 48213377024 },
    answer: { data: [noteExample] },
  },
});

// ---- activity ------------------------------------------------------------------------------------------------------

export const activityFields = [
  'number_id',
  'direction',
  'party',
  'contact',
  'text',
  'status',
  'outcome',
  'delivery_state',
  'at',
  'duration',
  'unread',
  'has_media',
  'user_id',
  'archived',
  'callback_due',
  'campaign',
] as const;
/** `direction` is inbound or outbound; `at` an instant or a day in `tz`; `duration` seconds; `unread`, `has_media`, `archived` true or false;
 * `callback_due`: a call missed in the last 14 days that no one has called or texted back since;
 * `campaign`: a text that a campaign sent. */
const filter = z.object({
  field: z.enum(activityFields),
  op: z.enum(['eq', 'ne', 'in', 'contains', 'gte', 'lte']).default('eq'),
  value: z.union([
    z.string().max(200),
    z.number(),
    z.boolean(),
    z.array(z.union([z.string().max(200), z.number()])).max(500),
  ]),
});
const group = z.union([
  z.array(filter).max(20),
  z.object({ filters: z.array(filter).max(20) }).transform((g) => g.filters),
]);
/** Groups of filters: all inside a group, any group. Exports take the same. */
export const activityGroups = z.array(group).max(10).default([]);
/** Type flags and names: singular as given, plural as people write them. */
const kindNames = {
  call: 'call',
  calls: 'call',
  message: 'message',
  messages: 'message',
  voicemail: 'voicemail',
  voicemails: 'voicemail',
  fax: 'fax',
  faxes: 'fax',
} as const satisfies Record<string, (typeof activityKinds)[number]>;
/** A list of kinds, or the same flags as an object. */
const typesFlagged = z
  .union([
    z
      .array(
        z
          .enum(Object.keys(kindNames) as (keyof typeof kindNames)[])
          .transform((name) => kindNames[name]),
      )
      .max(8),
    z
      .strictObject(
        Object.fromEntries(Object.keys(kindNames).map((name) => [name, flag.optional()])),
      )
      .transform((flags) =>
        Object.entries(flags).flatMap(([name, on]) =>
          on ? [kindNames[name as keyof typeof kindNames]] : [],
        ),
      ),
  ])
  .optional();
export const listActivity = endpoint({
  name: 'listActivity',
  method: 'POST',
  path: '/activity',
  summary:
    'List calls, messages, voicemails and faxes, newest first, ten per page. Groups of filters: all conditions inside a group, any group',
  permission: 'analytics.view',
  company: 'given',
  paged: true,
  query: z.object({ ...companyIn, strict: flag.optional() }),
  body: z
    .object({
      page: z.coerce.number<number>().int().min(1).max(10_000).default(1),
      perPage: z.coerce
        .number<number>()
        .int()
        .min(1)
        .transform((n) => Math.min(n, 250))
        .default(10),
      tz: z.string().max(60).default('UTC'),
      groups: activityGroups,
      eav: eavFilter,
      types: typesFlagged,
      ...(Object.fromEntries(
        Object.keys(kindNames).map((name) => [name, flag.optional()]),
      ) as Record<keyof typeof kindNames, z.ZodOptional<typeof flag>>),
      cursor: z.string().max(400).optional(),
      strict: flag.optional(),
      ...companyIn,
    })
    .transform(({ calls, messages, voicemails, faxes, ...rest }) => ({
      ...rest,
      call: rest.call || calls,
      message: rest.message || messages,
      voicemail: rest.voicemail || voicemails,
      fax: rest.fax || faxes,
    })),
  answer: pageOf(inboxItem),
  example: {
    body: {
      companyId: 1,
      page: 1,
      perPage: 10,
      tz: 'America/New_York',
      call: true,
      groups: [[{ field: 'direction', op: 'eq', value: 'inbound' }]],
    },
    answer: { data: [inboxItemExample] },
  },
});

// ---- said aloud ----------------------------------------------------------------------------------------------------

export const conversationReasons = [
  'new_item',
  'item_updated',
  'read',
  'unread',
  'archived',
  'restored',
  'blocked',
  'unblocked',
  'deleted',
  'assigned',
  'snoozed',
  'woken',
] as const;
/** A27. `item` is there when one item is new or changed. A new item is said once, by whoever stored it. */
export const conversationUpdated = event({
  name: 'conversation-updated',
  channel: 'conversations',
  about: ['numberId'],
  touches: [
    'listConversations',
    'getConversation',
    'contactTimeline',
    'listConversationItems',
    'getConversationItem',
    'listInboxItems',
    'listActivity',
    'listNotes',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCompany',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'listInboxViews',
    'callKpi',
    'getWaiting',
  ],
  data: z.object({
    conversationId: id,
    reason: z.enum(conversationReasons),
    item: item.optional(),
    conversation,
    readAt: instant
      .optional()
      .meta({ description: 'When everything was marked read (reason read)' }),
  }),
});
