import { z } from 'zod';
import { callerIdExample } from '../../calls/examples.ts';
import { lookupErrors } from '../../calls/rules.ts';
import { enhancedCallerId } from '../../calls/schemas.ts';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import {
  conversationExample,
  inboxItemExample,
  inCompany,
  itemExample,
  itemParams,
  oneExample,
} from '../examples.ts';
import { assignedFilter } from '../team/schemas.ts';
import { itemKinds } from '../rules.ts';
import { companyId, conversation, conversationId, inboxItem, item, itemId } from '../schemas.ts';
import { searchProblem } from '../search-words.ts';

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
  sources: many(z.string().max(64), 50).meta({
    description: 'Keys of sources that calls or texts came from',
  }),
  updatedAfter: z.iso
    .datetime({ offset: true })
    .or(z.iso.date())
    .optional()
    .meta({ description: 'When searching, the last two years by default' }),
  allTime: flag.optional().meta({ description: 'Search everything, not only the last two years' }),
};

export const listConversations = operation({
  summary:
    'List inbox conversations by latest activity. `meta.next_cursor` continues, `meta.counts` (with counts=1) counts the unread',
  paged: true,
  params: companyId,
  query: listQuery(
    {
      sort: sortBy('lastActivityAt'),
      isArchived: flag.optional(),
      isUnread: flag.optional(),
      isSnoozed: flag.optional(),
      possibleOptOut: flag.optional().meta({
        description: 'Only those with a text that may be an opt-out, until someone decides',
      }),
      counts: flag.optional(),
      ...searching,
      assigned: assignedFilter.optional().meta({
        description:
          'me, none (unassigned), a person’s ID, `team:` and a team’s ID, or my_teams (any of the caller’s)',
      }),
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

export const getConversation = operation({
  summary: 'Get one conversation',
  params: conversationId,
  query: z.object({ ...companyIn }),
  answer: one(conversation),
  example: { params: oneExample, answer: { data: conversationExample } },
});

export const listConversationItems = operation({
  summary:
    'List the items in a conversation, newest first. `meta.next_cursor` continues to older ones',
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

export const getConversationItem = operation({
  summary: 'Get one item, with fresh links to its pictures and audio',
  params: itemId,
  query: z.object({ ...companyIn }),
  answer: one(item),
  example: { params: itemParams, answer: { data: itemExample } },
});

export const listInboxItems = operation({
  summary: 'Search conversation items, newest first',
  paged: true,
  query: listQuery({ isArchived: flag.optional(), ...searching }, { perPage: 25 }),
  answer: pageOf(inboxItem),
  example: { query: { companyId: 1, search: 'noon' }, answer: { data: [inboxItemExample] } },
});

export const lookUpSender = operation({
  summary: 'Look up the other party’s number',
  object: { table: 'conversation_item', param: 'id' },
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  errors: lookupErrors,
  answer: one(enhancedCallerId),
  example: { params: { id: 7001 }, answer: { data: callerIdExample } },
});
