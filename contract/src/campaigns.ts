import { z } from 'zod';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  including,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import {
  campaignStates,
  campaignStatusKeys,
  eventFlags,
  mergeTags,
  pausedReasons,
  recipientStates,
  skipReasons,
} from './campaign-rules.ts';

export * from './campaign-rules.ts';

const keysOf = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];
const person = z.object({ id, name: z.string() });
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 21:00.');
const quietHours = z.object({ start: time, end: time, mode: z.enum(['recipient', 'company']) });

// ---- shapes --------------------------------------------------------------------------------------------------------

const counts = {
  total_count: z.number().meta({ description: 'Everyone in the group when the campaign started' }),
  pending_count: z.number(),
  sent_count: z.number().meta({ description: 'Submitted to the carrier, or further' }),
  delivered_count: z.number(),
  undelivered_count: z.number(),
  failed_count: z.number().meta({ description: 'Rejected by the carrier' }),
  skipped_count: z.number(),
  unknown_count: z
    .number()
    .meta({ description: 'The carrier never responded; not retried automatically' }),
  responded_count: z.number(),
  unsubscriber_count: z.number(),
  credits_used: z.number(),
};
/** A §3 Campaign with A12.4. `groups`: the first is the target; how many are in it tells GET /groups. `media`: signed addresses; `media_files` names them for keeping. */
export const campaign = z.object({
  id,
  user_id: id.nullable(),
  user: person.nullable(),
  company_id: id,
  type: z.literal('sms'),
  title: z.string(),
  text: z.string(),
  unsubscribe_text: z.string(),
  state: z.enum(campaignStates),
  status: z
    .enum(campaignStatusKeys as [string, ...string[]])
    .meta({ description: 'The displayed status' }),
  should_be_sent_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
  groups: z.array(z.object({ id, name: z.string() })),
  number_id: id.nullable(),
  number: z.object({ id, number: z.string(), label: z.string() }).nullable(),
  ...counts,
  preview_count: z
    .number()
    .meta({ description: 'Number of recipients, counted when the campaign was saved' }),
  preview_credits: z.number(),
  started: z.boolean(),
  media: z.array(z.string()),
  media_files: z.array(
    z.object({ id, url: z.string(), type: z.string(), bytes: z.number(), name: z.string() }),
  ),
  dynamic_fields: z.array(z.enum(keysOf(mergeTags))),
  skip_inbox: z.boolean(),
  paused_reason: z.enum(keysOf(pausedReasons)).nullable(),
  paused_at: instant.nullable(),
  paused_by: person.nullable(),
  auto_resume_at: instant.nullable(),
  resume_next_day: z
    .boolean()
    .meta({ description: 'Resumes automatically when sending hours start again' }),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  failed_reason: z.string().nullable(),
  timezone: z.string(),
  quiet_hours: quietHours,
  approval: z.object({
    state: z.enum(['none', 'asked', 'approved']),
    asked_by: person.nullable(),
    approved_by: person.nullable(),
  }),
  text_version: z.number(),
  joined_since: z.number().nullable().meta({
    description:
      'Joined the group after the start and receive nothing; only on a started campaign’s detail',
  }),
});
export type Campaign = z.infer<typeof campaign>;

/** One recipient. `id` is the line of the ledger; `text_version` which version of the text they got. */
export const campaignEvent = z.object({
  id,
  contact: z.object({ id: id.nullable(), name: z.string(), number: z.string() }),
  state: z.enum(recipientStates),
  skip_reason: z.enum(keysOf(skipReasons)).nullable(),
  error_code: z.string().nullable(),
  error_text: z.string().nullable(),
  sent_at: instant.nullable(),
  delivered_at: instant.nullable(),
  responded_at: instant.nullable(),
  reply: z.string().nullable(),
  unsubscribed_at: instant.nullable(),
  text: z.string().nullable(),
  segments: z.number().nullable(),
  credits: z.number().nullable(),
  text_version: z.number().nullable(),
  conversation_id: id.nullable(),
});
export type CampaignEvent = z.infer<typeof campaignEvent>;

export const campaignPreview = z.object({
  recipients: z.number(),
  skipped: z.object({
    unsubscribed: z.number(),
    invalid: z.number(),
    blocked: z.number(),
    duplicate: z.number(),
    recently_texted: z.number(),
    own_number: z.number(),
  }),
  segments_total: z.number(),
  credits: z.number(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  forcing_characters: z
    .array(z.string())
    .meta({ description: 'Characters that force UCS-2, which takes about twice the segments' }),
  first_three_rendered: z.array(
    z.object({ name: z.string(), number: z.string(), text: z.string(), segments: z.number() }),
  ),
  held_until: instant.nullable().meta({
    description:
      'When the scheduled time is in quiet hours for everyone: the first time a recipient can be texted',
  }),
  finish_estimate: instant
    .nullable()
    .meta({ description: 'At the number’s sending rate, within the allowed hours' }),
  per_second: z.number(),
  problems: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'What prevents sending now, by field' }),
});
export type CampaignPreview = z.infer<typeof campaignPreview>;

// ---- examples ------------------------------------------------------------------------------------------------------

const at = '2026-11-21T15:00:00.000Z';
const noCounts = {
  total_count: 0,
  pending_count: 0,
  sent_count: 0,
  delivered_count: 0,
  undelivered_count: 0,
  failed_count: 0,
  skipped_count: 0,
  unknown_count: 0,
  responded_count: 0,
  unsubscriber_count: 0,
  credits_used: 0,
};
export const campaignExample: Campaign = {
  id: 610,
  user_id: 5,
  user: { id: 5, name: 'Una User' },
  company_id: 1,
  type: 'sms',
  title: 'Whitening week',
  text: 'Hi {{first_name|there}}, whitening is 20% off until Friday.',
  unsubscribe_text: 'Reply STOP to stop.',
  state: 'draft',
  status: 'draft',
  should_be_sent_at: null,
  created_at: at,
  updated_at: at,
  deleted_at: null,
  groups: [{ id: 31, name: 'Patients' }],
  number_id: 12,
  number: { id: 12, number: '+14155552368', label: 'Main line' },
  ...noCounts,
  preview_count: 402,
  preview_credits: 402,
  started: false,
  media: [],
  media_files: [],
  dynamic_fields: ['first_name'],
  skip_inbox: false,
  paused_reason: null,
  paused_at: null,
  paused_by: null,
  auto_resume_at: null,
  resume_next_day: true,
  started_at: null,
  finished_at: null,
  failed_reason: null,
  timezone: 'America/New_York',
  quiet_hours: { start: '21:00', end: '08:00', mode: 'recipient' },
  approval: { state: 'none', asked_by: null, approved_by: null },
  text_version: 1,
  joined_since: null,
};
const going: Campaign = {
  ...campaignExample,
  state: 'sending',
  status: 'in_progress',
  started: true,
  started_at: at,
  total_count: 420,
  pending_count: 200,
  sent_count: 190,
  delivered_count: 180,
  skipped_count: 18,
  failed_count: 8,
  unsubscriber_count: 2,
  credits_used: 190,
  joined_since: 0,
};
const halted: Campaign = {
  ...going,
  state: 'paused',
  status: 'paused',
  paused_reason: 'by_hand',
  paused_at: at,
  paused_by: { id: 5, name: 'Una User' },
};
const eventExample: CampaignEvent = {
  id: 9100,
  contact: { id: 77, name: 'Dana Reed', number: '+12125550147' },
  state: 'delivered',
  skip_reason: null,
  error_code: null,
  error_text: null,
  sent_at: at,
  delivered_at: at,
  responded_at: at,
  reply: 'Yes please',
  unsubscribed_at: null,
  text: 'Hi Dana, whitening is 20% off until Friday.\nReply STOP to stop.',
  segments: 1,
  credits: 1,
  text_version: 1,
  conversation_id: 9001,
};
const previewExample: CampaignPreview = {
  recipients: 402,
  skipped: {
    unsubscribed: 12,
    invalid: 3,
    blocked: 1,
    duplicate: 0,
    recently_texted: 2,
    own_number: 0,
  },
  segments_total: 402,
  credits: 402,
  encoding: 'GSM-7',
  forcing_characters: [],
  first_three_rendered: [
    {
      name: 'Dana Reed',
      number: '+12125550147',
      text: 'Hi Dana, whitening is 20% off until Friday.\nReply STOP to stop.',
      segments: 1,
    },
  ],
  held_until: null,
  finish_estimate: '2026-11-21T15:06:42.000Z',
  per_second: 1,
  problems: {},
};

// ---- asking --------------------------------------------------------------------------------------------------------

const ofCampaign = { table: 'campaign', param: 'id' };
const params = z.object({ id });
const include = including('groups');
const given = z.object({ ...companyIn, include });
const sorts = [
  'title',
  'state',
  'should_be_sent_at',
  'created_at',
  'updated_at',
  'started_at',
  'sent_count',
  'delivered_count',
  'undelivered_count',
  'responded_count',
  'unsubscriber_count',
] as const;
const filter = z
  .union([
    z.string().max(200),
    z
      .object({ search: z.string().max(200).optional(), status: z.string().max(30).optional() })
      .transform((f) => f.status ?? f.search ?? ''),
  ])
  .optional();

export const listCampaigns = endpoint({
  name: 'listCampaigns',
  method: 'GET',
  path: '/campaigns',
  summary:
    'List campaigns, newest first. `filter` is a status (Draft, Scheduled, In Progress …) or words in the title or text',
  permission: 'campaigns.view',
  company: 'given',
  paged: true,
  refusals: ['role.forbidden'],
  query: listQuery(
    {
      include,
      filter,
      sort: sortBy(...sorts),
      status: z.enum(campaignStatusKeys as [string, ...string[]]).optional(),
      search: z.string().trim().max(200).optional(),
      withTrashed: flag
        .optional()
        .meta({ description: 'Include deleted campaigns (administrators)' }),
    },
    { perPage: 13 },
  ),
  answer: pageOf(campaign),
  example: {
    query: { company_id: 1, size: 13, include: ['groups'], filter: 'Draft' },
    answer: { data: [campaignExample] },
  },
});
export const getCampaign = endpoint({
  name: 'getCampaign',
  method: 'GET',
  path: '/campaigns/{id}',
  summary: 'Get one campaign',
  permission: 'campaigns.view',
  company: 'object',
  object: ofCampaign,
  params,
  query: given,
  answer: one(campaign),
  example: { params: { id: 610 }, answer: { data: campaignExample } },
});
export const listCampaignEvents = endpoint({
  name: 'listCampaignEvents',
  method: 'GET',
  path: '/campaigns/{id}/events',
  summary: 'List the recipients of a campaign and their results, ten per page',
  permission: 'campaigns.view',
  company: 'object',
  object: ofCampaign,
  paged: true,
  params,
  query: listQuery(
    { search: z.string().trim().max(100).optional(), status: z.enum(eventFlags).default('all') },
    { perPage: 10 },
  ),
  answer: pageOf(campaignEvent),
  example: {
    params: { id: 610 },
    query: { status: 'delivered', size: 10 },
    answer: { data: [eventExample] },
  },
});
export const previewCampaign = endpoint({
  name: 'previewCampaign',
  method: 'GET',
  path: '/campaigns/{id}/preview',
  summary: 'Preview a campaign: recipients, exclusions, cost, message text and finish time',
  permission: 'campaigns.view',
  company: 'object',
  object: ofCampaign,
  params,
  query: z.object({ ...companyIn }),
  answer: one(campaignPreview),
  example: { params: { id: 610 }, answer: { data: previewExample } },
});

// ---- writing -------------------------------------------------------------------------------------------------------

const idList = z.preprocess(
  (v) =>
    v === undefined || v === null || v === ''
      ? undefined
      : Array.isArray(v)
        ? v.filter((x) => x !== '')
        : [v],
  z.array(id).max(20).optional(),
);
const nullable = <T>(shape: z.ZodType<T>) =>
  z.preprocess((v) => (v === '' || v === 'null' ? null : v), shape.nullable().optional());
const refusals = [
  'campaign.not_editable',
  'campaign.confirm_text',
  'campaign.too_large',
  'role.forbidden',
  'message.media_too_large',
  'message.media_too_many',
  'message.media_unknown',
  'campaign.confirm_resume',
  'campaign.too_old',
  'campaign.not_resumable',
] as const;
/** Files come as multipart `media[]`; with any of them, or `keep_media[]`, the list of files is what is sent and kept. What is left out stays as it is. */
const form = {
  title: z.string().trim().max(120, 'At most 120 characters.'),
  text: z.string().max(4000),
  unsubscribe_text: z.string().max(1000),
  skip_inbox: flag,
  groups: idList,
  number_id: nullable(id),
  should_be_sent_at: nullable(z.iso.datetime({ offset: true, message: 'Enter a date and time.' })),
  state: z.enum(['draft', 'queued'], 'Send state draft or queued.'),
  type: z.literal('sms', 'Send type sms.'),
  include,
  dynamic_fields: z
    .unknown()
    .meta({ description: 'Accepted; the response lists the tags the text really uses' }),
  media: z.array(z.unknown()).max(0, 'Send files as multipart media[].'),
  keep_media: idList.meta({ description: 'IDs of the `media_files` to keep' }),
  timezone: z.string().max(60),
  quiet_hours: quietHours,
  resume_next_day: flag,
  confirm: flag.meta({
    description: 'Confirm changing the text although some recipients received the previous version',
  }),
  _method: z.string(),
  ...companyIn,
};
const patch = z.object(form).partial();

export const createCampaign = endpoint({
  name: 'createCampaign',
  method: 'POST',
  path: '/campaigns',
  summary:
    'Create a campaign: a draft (needs a title), or `state` queued to send it now or at its scheduled time',
  permission: 'campaigns.draft',
  company: 'given',
  multipart: true,
  status: 201,
  refusals,
  query: given,
  body: patch.extend({ title: form.title.min(1, 'Enter a title for the campaign.') }),
  answer: one(campaign),
  example: {
    body: {
      company_id: 1,
      title: 'Whitening week',
      text: 'Hi {{first_name|there}}, whitening is 20% off until Friday.',
      unsubscribe_text: 'Reply STOP to stop.',
      groups: [31],
      number_id: 12,
      state: 'draft',
      type: 'sms',
      skip_inbox: false,
    },
    answer: { data: campaignExample },
  },
});
export const updateCampaign = endpoint({
  name: 'updateCampaign',
  method: 'POST',
  path: '/campaigns/{id}',
  summary:
    'Update a campaign, as multipart with `_method` PATCH. `state` queued sends it, or resumes a paused one',
  permission: 'campaigns.draft',
  company: 'object',
  object: ofCampaign,
  multipart: true,
  refusals,
  etagOf: 'getCampaign',
  params,
  query: given,
  body: patch.extend({ _method: z.string().regex(/^(patch|put)$/i, 'Send _method=PATCH.') }),
  answer: one(campaign),
  example: {
    params: { id: 610 },
    body: { _method: 'patch', title: 'Whitening week 2' },
    answer: { data: { ...campaignExample, title: 'Whitening week 2' } },
  },
});
export const patchCampaign = endpoint({
  name: 'patchCampaign',
  method: 'PATCH',
  path: '/campaigns/{id}',
  summary: 'Same as POST with `_method`',
  permission: 'campaigns.draft',
  company: 'object',
  object: ofCampaign,
  multipart: true,
  refusals,
  etagOf: 'getCampaign',
  params,
  query: given,
  body: patch,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    body: { skip_inbox: true },
    answer: { data: { ...campaignExample, skip_inbox: true } },
  },
});
export const deleteCampaign = endpoint({
  name: 'deleteCampaign',
  method: 'DELETE',
  path: '/campaigns/{id}',
  summary: 'Delete a campaign. Pause or cancel it first if it’s in progress',
  permission: 'campaigns.draft',
  company: 'object',
  object: ofCampaign,
  status: 204,
  refusals: ['campaign.not_deletable'],
  params,
  answer: empty,
  example: { params: { id: 610 } },
});
const bare = z.object({ ...companyIn }).optional();
export const pauseCampaign = endpoint({
  name: 'pauseCampaign',
  method: 'POST',
  path: '/campaigns/{id}/pause',
  summary: 'Pause a campaign immediately. Messages already at the carrier will still go out',
  permission: 'campaigns.send',
  company: 'object',
  object: ofCampaign,
  refusals: ['campaign.not_pausable'],
  params,
  body: bare,
  answer: one(campaign),
  example: { params: { id: 610 }, answer: { data: halted } },
});
export const resumeCampaign = endpoint({
  name: 'resumeCampaign',
  method: 'POST',
  path: '/campaigns/{id}/resume',
  summary:
    'Resume a campaign for the remaining recipients. `retry_failed` retries those the carrier rejected for a temporary reason. Each recipient receives it once at most',
  permission: 'campaigns.send',
  company: 'object',
  object: ofCampaign,
  refusals: [
    'campaign.not_resumable',
    'campaign.confirm_resume',
    'campaign.too_old',
    'campaign.too_large',
  ],
  params,
  body: z.object({
    mode: z.enum(['continue', 'retry_failed']).default('continue'),
    deliverAt: z.preprocess(
      (v) => (v === '' ? null : v),
      z.iso.datetime({ offset: true, message: 'Enter a date and time.' }).nullable().optional(),
    ),
    confirm: flag
      .optional()
      .meta({ description: 'Required when it was paused for more than 7 days' }),
    ...companyIn,
  }),
  answer: one(campaign),
  example: { params: { id: 610 }, body: { mode: 'continue' }, answer: { data: going } },
});
export const cancelCampaign = endpoint({
  name: 'cancelCampaign',
  method: 'POST',
  path: '/campaigns/{id}/cancel',
  summary: 'Cancel a campaign permanently. Remaining recipients receive nothing',
  permission: 'campaigns.send',
  company: 'object',
  object: ofCampaign,
  refusals: ['campaign.not_cancelable'],
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: { data: { ...halted, state: 'canceled', status: 'canceled' } },
  },
});
export const duplicateCampaign = endpoint({
  name: 'duplicateCampaign',
  method: 'POST',
  path: '/campaigns/{id}/duplicate',
  summary: 'Duplicate a campaign as a draft with the same text, files, group and number',
  permission: 'campaigns.draft',
  company: 'object',
  object: ofCampaign,
  status: 201,
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: { data: { ...campaignExample, id: 611, title: 'Whitening week (copy)' } },
  },
});
export const approveCampaign = endpoint({
  name: 'approveCampaign',
  method: 'POST',
  path: '/campaigns/{id}/approve',
  summary: 'Approve a campaign that a user wants to send, when the company requires approval',
  permission: 'campaigns.approve',
  company: 'object',
  object: ofCampaign,
  refusals: ['campaign.not_approvable', 'campaign.too_large'],
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: {
      data: {
        ...campaignExample,
        state: 'queued',
        status: 'in_progress',
        approval: {
          state: 'approved',
          asked_by: { id: 5, name: 'Una User' },
          approved_by: { id: 2, name: 'Adam Administrator' },
        },
      },
    },
  },
});
export const testCampaign = endpoint({
  name: 'testCampaign',
  method: 'POST',
  path: '/campaigns/{id}/test',
  summary: 'Send a test text to up to five of your phones, as the first recipient would read it',
  permission: 'campaigns.send',
  company: 'object',
  object: ofCampaign,
  refusals: [
    'contact.unsubscribed',
    'contact.blocked',
    'number.not_verified',
    'number.no_sms',
    'number.gone',
  ],
  params,
  body: z.object({
    to: z
      .array(z.string().trim().max(40))
      .min(1, 'Enter a phone number.')
      .max(5, 'Enter at most five phone numbers.'),
    ...companyIn,
  }),
  answer: one(
    z.object({
      sent: z.array(z.object({ number: z.string(), item_id: id, conversation_id: id })),
      text: z.string(),
    }),
  ),
  example: {
    params: { id: 610 },
    body: { to: ['+12125550147'] },
    answer: {
      data: {
        sent: [{ number: '+12125550147', item_id: 7002, conversation_id: 9001 }],
        text: eventExample.text!,
      },
    },
  },
});
export const previewUnsaved = endpoint({
  name: 'previewUnsaved',
  method: 'POST',
  path: '/campaigns/preview',
  summary: 'Preview a campaign that is still being edited',
  permission: 'campaigns.draft',
  company: 'given',
  body: z.object({
    text: z.string().max(4000).default(''),
    unsubscribe_text: z.string().max(1000).default(''),
    title: z.string().max(120).default(''),
    groups: idList,
    number_id: nullable(id),
    should_be_sent_at: nullable(z.iso.datetime({ offset: true })),
    with_media: flag.default(false),
    timezone: nullable(z.string().max(60)),
    quiet_hours: nullable(quietHours),
    ...companyIn,
  }),
  answer: one(campaignPreview),
  example: {
    body: {
      company_id: 1,
      title: 'Whitening week',
      text: 'Hi {{first_name|there}}',
      unsubscribe_text: 'Reply STOP to stop.',
      groups: [31],
      number_id: 12,
    },
    answer: { data: previewExample },
  },
});

// ---- said aloud ----------------------------------------------------------------------------------------------------

/** A27: at most once a second a campaign. */
export const campaignsUpdated = event({
  name: 'campaigns-updated',
  channel: 'campaigns',
  about: ['numberId'],
  touches: ['listCampaigns', 'getCampaign', 'listCampaignEvents', 'previewCampaign'],
  data: z.object({
    id,
    state: z.enum(campaignStates),
    counts: z.object(counts),
    paused_reason: z.enum(keysOf(pausedReasons)).nullable(),
    deleted: z.boolean(),
  }),
});
/** Texts of a campaign took their place in conversations, many at once, or moved on there. */
export const campaignInboxSynced = event({
  name: 'campaign-texts-filed',
  channel: 'conversations',
  about: ['numberId'],
  touches: [
    'listConversations',
    'getConversation',
    'listConversationItems',
    'getConversationItem',
    'listInboxItems',
    'listInboxViews',
    'listActivity',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCompany',
    'listCampaignEvents',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'contactTimeline',
    'listNotes',
  ],
  data: z.object({ campaignId: id, numberId: id, count: z.number() }),
});
/** For monitoring, integrations and notifications: why it stopped by itself. */
export const campaignPaused = event({
  name: 'campaign.paused',
  channel: null,
  data: z.object({
    campaignId: id,
    title: z.string(),
    numberId: id.nullable(),
    reason: z.enum(keysOf(pausedReasons)),
    byUserId: id.nullable(),
    autoResumeAt: instant.nullable(),
    at: instant,
  }),
});
export const campaignFinished = event({
  name: 'campaign.finished',
  channel: null,
  data: z.object({
    campaignId: id,
    title: z.string(),
    numberId: id.nullable(),
    state: z.enum(['sent', 'canceled', 'failed']),
    counts: z.object(counts),
    at: instant,
  }),
});
