import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../schemas.ts';
import {
  cannedReply,
  type CannedReply,
  type InboxView,
  person,
  presentUser,
  type PresentUser,
  view,
  viewFilters,
} from './schemas.ts';

const ofCompany = z.object({ companyId: id });

const ofConversation = z.object({ companyId: id, id });

const ids = z.array(id).min(1, 'Choose at least one conversation.').max(1000);

const inCompany = { companyId: 1 };

const at = '2026-11-21T09:15:04.000Z';

export const listTeammates = operation({
  summary:
    'List the people who can be assigned or mentioned: those who see the inbox and, with `number_id`, that number',
  params: ofCompany,
  query: z.object({ number_id: id.optional(), ...companyIn }),
  answer: z.object({ data: z.array(person) }),
  example: { params: inCompany, query: {}, answer: { data: [{ id: 5, name: 'Una User' }] } },
});

export const assignConversations = operation({
  summary:
    'Assign conversations to a person, or unassign them. `from`: skip those reassigned in the meantime; they’re listed in `taken`',
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

export const snoozeConversations = operation({
  summary:
    'Snooze conversations until a time; new activity brings them back earlier. `until` null brings them back now',
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

const thereExample: PresentUser = { id: 6, name: 'Ann Agent', state: 'replying', at };

export const listPresence = operation({
  summary: 'List teammates who have this conversation open or are typing in it',
  params: ofConversation,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: { params: { companyId: 1, id: 9001 }, answer: { data: [thereExample] } },
});

export const tellPresence = operation({
  summary:
    'Report that you opened, are typing in, or left this conversation. Lasts 60 seconds, 10 for typing. The response lists who else is there',
  params: ofConversation,
  body: z.object({ state: z.enum(['viewing', 'replying', 'away']), ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: {
    params: { companyId: 1, id: 9001 },
    body: { state: 'viewing' },
    answer: { data: [thereExample] },
  },
});

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

export const listCannedReplies = operation({
  summary: 'List the replies to insert with “/”: shared ones and your own, by shortcut',
  query: z.object({ search: z.string().trim().max(100).optional(), ...companyIn }),
  answer: z.object({ data: z.array(cannedReply) }),
  example: { query: { company_id: 1 }, answer: { data: [cannedExample] } },
});

export const addCannedReply = operation({
  summary: 'Create a reply, for yourself or for everyone',
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

export const updateCannedReply = operation({
  summary:
    'Update a reply: your own, or a shared one you created; administrators can update every shared one',
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

export const removeCannedReply = operation({
  summary: 'Delete a reply; messages written with it stay',
  object: ofCanned,
  status: 204,
  refusals: ['canned.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 71 } },
});

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

export const listInboxViews = operation({
  summary:
    'List saved views, shared and your own, with how many conversations each shows; `meta.counts` counts the built-in ones',
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

export const addInboxView = operation({
  summary: 'Save filters and order as a view, for yourself or for everyone',
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

export const updateInboxView = operation({
  summary: 'Rename a view, change what it shows, or share it',
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

export const removeInboxView = operation({
  summary: 'Delete a view; its conversations stay',
  object: ofView,
  status: 204,
  refusals: ['view.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 41 } },
});

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

export const getAutomaticTexts = operation({
  summary: 'Get the automatic texts of a number: after hours, and after a missed call',
  object: ofNumber,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: one(automaticTexts),
  example: { params: { id: 12 }, answer: { data: automaticExample } },
});

export const setAutomaticTexts = operation({
  summary:
    'Update the automatic texts; null or empty turns one off, fields left out stay unchanged',
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
