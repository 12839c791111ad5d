import { z } from 'zod';
import { textBlockReasons } from '../compliance/rules.ts';
import { contactBrief } from '../contacts/schemas.ts';
import { faxStates } from '../fax/rules.ts';
import { fieldValue } from '../fields/schemas.ts';
import { id, instant } from '../schemas.ts';
import { matchLabels } from '../tracking/match-rules.ts';
import { evidence } from '../tracking/match-schemas.ts';
import { activityFields, automaticKinds, deliveryStates, itemKinds, noteModels } from './rules.ts';

const ourNumber = z.object({ id, number: z.string(), label: z.string() });

/** `url` is signed and valid for 15 minutes; reload the item for a new one. `bytes` 0: unknown. */
const media = z.object({ url: z.string(), type: z.string(), bytes: z.number(), name: z.string() });

const deliveryState = z.enum(deliveryStates);

/**
 * `errorCode`: `opted_out`, `landline`, `blocked`, `unreachable`, `rejected` or `carrier_away`;
 * `errorText`: its sentence. `clientKey`: chosen by the sender, so a screen can match its
 * optimistic item.
 */
const messageDetails = z.object({
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

/** Where a call or text to a tracking number came from; all null otherwise. */
const matchedFacts = {
  source: z.string().nullable(),
  sourceKey: z.string().nullable(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  keyword: z.string().nullable(),
  landingUrl: z.string().nullable(),
};

/**
 * `status` and `outcome`: codes of A §4; status 1 is an ongoing call. `duration`: seconds of the call,
 * ringing included; `recordingSeconds`: of its recording.
 */
const callDetails = z.object({
  callId: id,
  status: z.number(),
  outcome: z.number(),
  duration: z.number(),
  recordingUrl: z.string().nullable(),
  recordingSeconds: z.number().nullable(),
  answeredBy: z.string().nullable(),
  extensionLabel: z.string().nullable(),
  ...matchedFacts,
});

/** Where its call came from is where a voicemail did. */
const voicemailDetails = z.object({
  callId: id,
  voicemailId: id,
  duration: z.number(),
  url: z.string().nullable(),
  transcription: z.string().nullable(),
  transcriptionState: z.enum(['none', 'ready', 'failed', 'skipped']),
  ...matchedFacts,
});

/**
 * `url` is the PDF, `preview` a picture of its first page; GET /fax/{faxId} has all pages.
 * `errorText` is a sentence.
 */
const faxDetails = z.object({
  faxId: id,
  pages: z.number(),
  url: z.string().nullable(),
  state: z.enum(faxStates),
  name: z.string(),
  preview: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorText: z.string().nullable(),
});

const noteDetails = z.object({
  noteId: id,
  body: z.string(),
  userId: id.nullable(),
  edited: z.boolean(),
  model_type: z.string(),
  model_id: id,
});

const blockDetails = z.object({
  action: z.union([z.literal(0), z.literal(1)]),
  actor: z.string(),
});

const scheduledDetails = z.object({
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

/**
 * Where a call or text came from (A8.5) and why we say so. `callId` null: it is of a text. A
 * conversation has one item for each visit of the other party.
 */
const trackingDetails = z.object({
  ...matchedFacts,
  source: z.string(),
  sourceKey: z.string(),
  confidence: z.number(),
  matchLabel: z.enum(matchLabels),
  evidence: z.array(evidence),
  matchedAt: instant,
  callId: id.nullable(),
});

/** A form of a website that the other party sent, and where they came from. */
const formDetails = z.object({
  ...matchedFacts,
  form: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  page: z.string().nullable(),
  sessionId: id,
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

/**
 * One item of a conversation; `kind` determines `details`. Calls and system items have no actor.
 */
export const item = z.discriminatedUnion('kind', [
  z.object({ ...itemBase, kind: z.literal('message'), details: messageDetails }),
  z.object({ ...itemBase, kind: z.literal('call'), details: callDetails }),
  z.object({ ...itemBase, kind: z.literal('voicemail'), details: voicemailDetails }),
  z.object({ ...itemBase, kind: z.literal('fax'), details: faxDetails }),
  z.object({ ...itemBase, kind: z.literal('note'), details: noteDetails }),
  z.object({ ...itemBase, kind: z.literal('block'), details: blockDetails }),
  z.object({ ...itemBase, kind: z.literal('scheduledmessage'), details: scheduledDetails }),
  z.object({ ...itemBase, kind: z.literal('trackingmatch'), details: trackingDetails }),
  z.object({ ...itemBase, kind: z.literal('form'), details: formDetails }),
]);

export type Item = z.infer<typeof item>;

const unreadCounts = z.object({
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});

/**
 * Conversation (A §3) between one of our numbers and one other party. `whyNotText` null: a text can
 * be sent.
 */
export const conversation = z.object({
  id,
  conversationId: id.meta({ description: 'Same as id' }),
  lastActivityAt: instant,
  recipient: z.string().meta({
    description: 'E.164 number of the other party, a short code, a sender name, or `anonymous`',
  }),
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
  possibleOptOut: z.object({ at: instant }).nullable().meta({
    description:
      'A text that came then may be an opt-out. Campaigns and automatic texts leave the person out until someone decides',
  }),
  whyNotText: z.enum(textBlockReasons).nullable(),
  enhancedCallerId: z
    .object({ name: z.string().nullable(), type: z.string(), line_type: z.string() })
    .nullable(),
  createdAt: instant,
  assignee: z.object({ id, name: z.string() }).nullable().meta({ description: 'The assignee' }),
  team: z
    .object({ id, name: z.string() })
    .nullable()
    .meta({ description: 'The team it is assigned to, also while one of its people has it' }),
  snoozedUntil: instant.nullable().meta({
    description: 'Snoozed until then; a snoozed conversation is archived too (isArchived)',
  }),
});

export type Conversation = z.infer<typeof conversation>;

/** An item in lists outside its conversation. */
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

export const companyId = z.object({ companyId: id });

export const conversationId = z.object({ companyId: id, id });

export const itemId = z.object({ companyId: id, id, itemId: id });

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

/**
 * `direction` is inbound or outbound; `at` an instant or a day in `tz`; `duration` seconds;
 * `unread`, `has_media`, `archived` true or false; `callback_due`: a call missed in the last 14
 * days that no one has called or texted back since; `campaign`: a text that a campaign sent;
 * `phrase_list`: IDs of lists of which a phrase was said in a call or voicemail;
 * `source`: the key of the source that a call or text came from, beside its `medium`,
 * `source_campaign`, `keyword` and `landing_page`.
 */
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

/** Filters in groups: all within a group must match, in any one group. Exports take the same. */
export const activityGroups = z.array(group).max(10).default([]);
