/** What a team needs of its inbox: assignment, snooze, canned replies, saved views, presence, automatic texts. Module: conversations. */
import { z } from 'zod';
import { itemKinds } from './conversations.ts';
import { companyIn, empty, endpoint, event, flag, id, instant, one } from './kit.ts';

const person = z.object({ id, name: z.string() });
const ofCompany = z.object({ companyId: id });
const ofConversation = z.object({ companyId: id, id });
const ids = z.array(id).min(1, 'Choose at least one conversation.').max(1000);
const inCompany = { companyId: 1 };
const at = '2026-11-21T09:15:04.000Z';

// ---- who has it ----------------------------------------------------------------------------------------------------

export const listTeammates = endpoint({
  name: 'listTeammates',
  method: 'GET',
  path: '/companies/{companyId}/teammates',
  summary:
    'List the people who can be assigned or mentioned: those who see the inbox and, with `number_id`, that number',
  permission: 'inbox.view',
  company: 'path',
  params: ofCompany,
  query: z.object({ number_id: id.optional(), ...companyIn }),
  answer: z.object({ data: z.array(person) }),
  example: { params: inCompany, query: {}, answer: { data: [{ id: 5, name: 'Una User' }] } },
});
/** Two at once: with `from`, the person the assigner saw, only the first wins; the other is told who has it now. */
export const assignConversations = endpoint({
  name: 'assignConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/assign',
  summary:
    'Assign conversations to a person, or unassign them. `from`: skip those reassigned in the meantime; they’re listed in `taken`',
  permission: 'inbox.view',
  company: 'path',
  refusals: ['teammate.unknown'],
  params: ofCompany,
  body: z.object({ ids, userId: id.nullable(), from: id.nullable().optional(), ...companyIn }),
  answer: one(
    z.object({
      updated: z.array(id),
      unchanged: z.array(id),
      taken: z.array(z.object({ id, by: person.nullable() })),
    }),
  ),
  example: {
    params: inCompany,
    body: { ids: [9001], userId: 5 },
    answer: { data: { updated: [9001], unchanged: [], taken: [] } },
  },
});
/** How soon and how late a conversation may come back, in seconds. */
export const snoozeLimits = { soonest: 60, latest: 365 * 86_400 } as const;
export const snoozeConversations = endpoint({
  name: 'snoozeConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/snooze',
  summary:
    'Snooze conversations until a time; new activity brings them back earlier. `until` null brings them back now',
  permission: 'inbox.view',
  company: 'path',
  refusals: ['snooze.too_soon', 'snooze.too_late'],
  params: ofCompany,
  body: z.object({
    ids,
    until: z.iso.datetime({ offset: true, message: 'Choose a time.' }).nullable(),
    ...companyIn,
  }),
  answer: one(z.object({ updated: z.array(id), unchanged: z.array(id) })),
  example: {
    params: inCompany,
    body: { ids: [9001], until: '2026-11-23T14:00:00.000Z' },
    answer: { data: { updated: [9001], unchanged: [] } },
  },
});

// ---- who is at it --------------------------------------------------------------------------------------------------

/** How long what was told holds, in seconds: who is still there says so again before. */
export const presenceSeconds = { viewing: 60, replying: 10 } as const;
const presentUser = person.extend({ state: z.enum(['viewing', 'replying']), at: instant });
export type PresentUser = z.infer<typeof presentUser>;
const thereExample: PresentUser = { id: 6, name: 'Ann Agent', state: 'replying', at };
export const listPresence = endpoint({
  name: 'listPresence',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/presence',
  summary: 'List teammates who have this conversation open or are typing in it',
  permission: 'inbox.view',
  company: 'path',
  params: ofConversation,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: { params: { companyId: 1, id: 9001 }, answer: { data: [thereExample] } },
});
export const tellPresence = endpoint({
  name: 'tellPresence',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/presence',
  summary:
    'Report that you opened, are typing in, or left this conversation. Lasts 60 seconds, 10 for typing. The response lists who else is there',
  permission: 'inbox.view',
  company: 'path',
  params: ofConversation,
  body: z.object({ state: z.enum(['viewing', 'replying', 'away']), ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: {
    params: { companyId: 1, id: 9001 },
    body: { state: 'viewing' },
    answer: { data: [thereExample] },
  },
});
export const presenceChanged = event({
  name: 'conversation.presence',
  channel: 'conversations',
  about: ['numberId'],
  touches: ['listPresence'],
  data: z.object({
    conversationId: id,
    userId: id,
    name: z.string(),
    state: z.enum(['viewing', 'replying', 'away']),
    at: instant,
  }),
});

// ---- what is written again and again -------------------------------------------------------------------------------

const cannedReply = z.object({
  id,
  shortcut: z.string(),
  title: z.string(),
  body: z.string(),
  shared: z.boolean(),
  owner: person,
  mine: z.boolean(),
  can_change: z.boolean(),
  updated_at: instant,
});
export type CannedReply = z.infer<typeof cannedReply>;
const cannedExample: CannedReply = {
  id: 71,
  shortcut: 'hours',
  title: 'Opening hours',
  body: 'Hi {{first_name|there}}, we are open Monday to Friday, 9 to 5.',
  shared: true,
  owner: { id: 5, name: 'Una User' },
  mine: true,
  can_change: true,
  updated_at: at,
};
/** Merge tags are written as in campaigns; here `my_name` and `company` are known too. */
const cannedFields = {
  shortcut: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a shortcut.')
    .max(30, 'At most 30 characters.')
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Use letters, digits, - and _, no spaces.'),
  title: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
  body: z.string().trim().min(1, 'Enter the reply.').max(1000, 'At most 1,000 characters.'),
  shared: flag,
};
const ofCanned = { table: 'canned_reply', param: 'id' };
export const listCannedReplies = endpoint({
  name: 'listCannedReplies',
  method: 'GET',
  path: '/canned-replies',
  summary: 'List the replies to insert with “/”: shared ones and your own, by shortcut',
  permission: 'inbox.send',
  company: 'given',
  query: z.object({ search: z.string().trim().max(100).optional(), ...companyIn }),
  answer: z.object({ data: z.array(cannedReply) }),
  example: { query: { company_id: 1 }, answer: { data: [cannedExample] } },
});
export const addCannedReply = endpoint({
  name: 'addCannedReply',
  method: 'POST',
  path: '/canned-replies',
  summary: 'Create a reply, for yourself or for everyone',
  permission: 'inbox.send',
  company: 'given',
  status: 201,
  refusals: ['canned.exists', 'canned.limit'],
  body: z.object({ ...cannedFields, shared: cannedFields.shared.default(false), ...companyIn }),
  answer: one(cannedReply),
  example: {
    body: {
      company_id: 1,
      shortcut: 'hours',
      title: 'Opening hours',
      body: cannedExample.body,
      shared: true,
    },
    answer: { data: cannedExample },
  },
});
export const updateCannedReply = endpoint({
  name: 'updateCannedReply',
  method: 'PUT',
  path: '/canned-replies/{id}',
  summary:
    'Update a reply: your own, or a shared one you created; administrators can update every shared one',
  permission: 'inbox.send',
  company: 'object',
  object: ofCanned,
  refusals: ['canned.exists', 'canned.not_yours'],
  params: z.object({ id }),
  body: z.object(cannedFields).partial().extend(companyIn),
  answer: one(cannedReply),
  example: {
    params: { id: 71 },
    body: { title: 'When we’re open' },
    answer: { data: { ...cannedExample, title: 'When we’re open' } },
  },
});
export const removeCannedReply = endpoint({
  name: 'removeCannedReply',
  method: 'DELETE',
  path: '/canned-replies/{id}',
  summary: 'Delete a reply; messages written with it stay',
  permission: 'inbox.send',
  company: 'object',
  object: ofCanned,
  status: 204,
  refusals: ['canned.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 71 } },
});
export const cannedRepliesChanged = event({
  name: 'canned_replies.changed',
  channel: 'companies',
  touches: ['listCannedReplies'],
  data: z.object({ companyId: id }),
});

// ---- ways of looking -----------------------------------------------------------------------------------------------

/** `assigned`: me, none (nobody), anyone (somebody), or a person’s id. `dir` asc: who waits longest first. */
export const viewFilters = z.object({
  state: z.enum(['open', 'unread', 'snoozed', 'archived']).default('open'),
  assigned: z
    .union([z.enum(['me', 'none']), id])
    .nullable()
    .default(null),
  types: z.array(z.enum(itemKinds)).max(itemKinds.length).default([]),
  numbers: z.array(id).max(500).default([]),
  search: z.string().trim().max(200).default(''),
  dir: z.enum(['asc', 'desc']).default('desc'),
});
export type ViewFilters = z.infer<typeof viewFilters>;
/** Beyond this many a count says so and no more. */
export const viewCountsTo = 99;
const view = z.object({
  id,
  name: z.string(),
  filters: viewFilters,
  shared: z.boolean(),
  owner: person,
  mine: z.boolean(),
  can_change: z.boolean(),
  count: z.number().meta({ description: 'The number of conversations; 100 means more than 99' }),
});
export type InboxView = z.infer<typeof view>;
const counted = z.object({
  open: z.number(),
  mine: z.number(),
  unassigned: z.number(),
  unread: z.number(),
  snoozed: z.number(),
});
const viewExample: InboxView = {
  id: 41,
  name: 'Waiting for me',
  filters: { state: 'unread', assigned: 'me', types: [], numbers: [], search: '', dir: 'asc' },
  shared: false,
  owner: { id: 5, name: 'Una User' },
  mine: true,
  can_change: true,
  count: 4,
};
const ofView = { table: 'inbox_view', param: 'id' };
const viewName = z.string().trim().min(1, 'Enter a name.').max(40, 'At most 40 characters.');
export const listInboxViews = endpoint({
  name: 'listInboxViews',
  method: 'GET',
  path: '/inbox/views',
  summary:
    'List saved views, shared and your own, with how many conversations each shows; `meta.counts` counts the built-in ones',
  permission: 'inbox.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(view), meta: z.object({ counts: counted }) }),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [viewExample],
      meta: { counts: { open: 31, mine: 4, unassigned: 22, unread: 9, snoozed: 2 } },
    },
  },
});
export const addInboxView = endpoint({
  name: 'addInboxView',
  method: 'POST',
  path: '/inbox/views',
  summary: 'Save filters and order as a view, for yourself or for everyone',
  permission: 'inbox.view',
  company: 'given',
  status: 201,
  refusals: ['view.exists', 'view.limit'],
  body: z.object({
    name: viewName,
    filters: viewFilters,
    shared: flag.default(false),
    ...companyIn,
  }),
  answer: one(view),
  example: {
    body: {
      company_id: 1,
      name: 'Waiting for me',
      filters: { state: 'unread', assigned: 'me', dir: 'asc' },
      shared: false,
    },
    answer: { data: viewExample },
  },
});
export const updateInboxView = endpoint({
  name: 'updateInboxView',
  method: 'PUT',
  path: '/inbox/views/{id}',
  summary: 'Rename a view, change what it shows, or share it',
  permission: 'inbox.view',
  company: 'object',
  object: ofView,
  refusals: ['view.exists', 'view.not_yours'],
  params: z.object({ id }),
  body: z
    .object({ name: viewName, filters: viewFilters, shared: flag })
    .partial()
    .extend(companyIn),
  answer: one(view),
  example: {
    params: { id: 41 },
    body: { name: 'My unread' },
    answer: { data: { ...viewExample, name: 'My unread' } },
  },
});
export const removeInboxView = endpoint({
  name: 'removeInboxView',
  method: 'DELETE',
  path: '/inbox/views/{id}',
  summary: 'Delete a view; its conversations stay',
  permission: 'inbox.view',
  company: 'object',
  object: ofView,
  status: 204,
  refusals: ['view.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 41 } },
});
export const viewsChanged = event({
  name: 'inbox_views.changed',
  channel: 'companies',
  touches: ['listInboxViews'],
  data: z.object({ companyId: id }),
});

// ---- what a number texts by itself ---------------------------------------------------------------------------------

const autoText = z.string().trim().max(480, 'At most 480 characters.').nullable();
const automaticTexts = z.object({
  number_id: id,
  after_hours: z.string().nullable().meta({
    description:
      'Replies to the first text of a conversation while the number is closed; null: off',
  }),
  text_back: z
    .string()
    .nullable()
    .meta({ description: 'Sent after a missed call, at most once an hour; null: off' }),
  open_now: z.boolean(),
  because: z.string(),
});
const automaticExample = {
  number_id: 12,
  after_hours: 'Thanks for your message. We’re closed now and will reply in the morning.',
  text_back: 'Sorry we missed your call. How can we help?',
  open_now: true,
  because: 'Open at Mon 09:15 America/New_York: Mon 09:00–17:00.',
};
const ofNumber = { table: 'number', param: 'id' };
export const getAutomaticTexts = endpoint({
  name: 'getAutomaticTexts',
  method: 'GET',
  path: '/numbers/{id}/automatic-texts',
  summary: 'Get the automatic texts of a number: after hours, and after a missed call',
  permission: 'numbers.view',
  company: 'object',
  object: ofNumber,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: one(automaticTexts),
  example: { params: { id: 12 }, answer: { data: automaticExample } },
});
export const setAutomaticTexts = endpoint({
  name: 'setAutomaticTexts',
  method: 'PUT',
  path: '/numbers/{id}/automatic-texts',
  summary:
    'Update the automatic texts; null or empty turns one off, fields left out stay unchanged',
  permission: 'numbers.configure',
  company: 'object',
  object: ofNumber,
  params: z.object({ id }),
  body: z.object({
    after_hours: autoText.optional(),
    text_back: autoText.optional(),
    ...companyIn,
  }),
  answer: one(automaticTexts),
  example: {
    params: { id: 12 },
    body: { text_back: automaticExample.text_back },
    answer: { data: automaticExample },
  },
});
export const automaticTextsChanged = event({
  name: 'number.automatic_texts_changed',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getAutomaticTexts'],
  data: z.object({ numberId: id }),
});

// ---- said to one person --------------------------------------------------------------------------------------------

/** A colleague mentioned them in a note, or gave them a conversation. On the person's own channel; notifications hears it too. */
export const teamNotification = event({
  name: 'team-news',
  channel: 'users',
  about: ['userId'],
  data: z.object({
    companyId: id,
    kind: z.enum(['mention', 'assigned']),
    userId: id,
    byName: z.string(),
    conversationId: id.nullable(),
    numberId: id.nullable(),
    about: z.string(),
    text: z.string(),
    key: z.string(),
  }),
});
