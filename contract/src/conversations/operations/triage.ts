import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, one } from '../../schemas.ts';
import {
  at,
  conversationExample,
  inCompany,
  itemExample,
  itemParams,
  oneExample,
} from '../examples.ts';
import { optOutDecisions } from '../../compliance/rules.ts';
import { activityKinds, bulkTypes } from '../rules.ts';
import { companyId, conversation, conversationId, item, itemId } from '../schemas.ts';

const ofConversation = { table: 'conversation', param: 'id' };

const none = z.object({ ...companyIn }).optional();

export const archiveConversation = operation({
  summary: 'Archive a conversation; new activity restores it',
  object: ofConversation,
  params: z.object({ id }),
  body: none,
  answer: one(conversation),
  example: { params: { id: 9001 }, answer: { data: { ...conversationExample, isArchived: true } } },
});

export const restoreConversation = operation({
  summary: 'Restore a conversation to the inbox',
  object: ofConversation,
  params: z.object({ id }),
  body: none,
  answer: one(conversation),
  example: { params: { id: 9001 }, answer: { data: conversationExample } },
});

export const decidePossibleOptOut = operation({
  summary:
    'Decide whether a text was an opt-out: `opt_out`, `keep`, or `undecided` to take the decision back',
  params: conversationId,
  body: z.object({ ...companyIn, decision: z.enum(optOutDecisions) }),
  answer: one(conversation),
  errors: ['opt_out.decided'],
  example: {
    params: oneExample,
    body: { decision: 'keep' },
    answer: { data: conversationExample },
  },
});

export const readConversation = operation({
  summary: 'Mark everything in a conversation as read',
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

export const readItem = operation({
  summary: 'Mark one item as read',
  params: itemId,
  body: none,
  answer: one(item),
  example: { params: itemParams, answer: { data: { ...itemExample, readAt: at } } },
});

export const unreadItem = operation({
  summary: 'Mark one item as unread',
  params: itemId,
  body: none,
  answer: one(item),
  example: { params: itemParams, answer: { data: itemExample } },
});

export const bulkUpdateConversations = operation({
  summary:
    'Archive, restore, mark read or unread, block, unblock or delete many conversations. `delete` needs inbox.delete',
  errors: ['role.forbidden', 'hold.keeps_some'],
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

/** `all` means every kind. The specification's names are singular; plurals are accepted. */
const readTypes = z
  .string()
  .transform(
    (v) => ({ messages: 'message', calls: 'call', voicemails: 'voicemail', faxes: 'fax' })[v] ?? v,
  )
  .pipe(z.enum([...activityKinds, 'all']));

export const readAllByType = operation({
  summary: 'Mark every message, call, voicemail or fax as read, for some numbers or all',
  params: companyId,
  body: z.object({ type: readTypes, numbers: z.array(id).max(500).optional(), ...companyIn }),
  answer: one(z.object({ items: z.number(), conversations: z.number() })),
  example: {
    params: inCompany,
    body: { type: 'message', numbers: [12] },
    answer: { data: { items: 4, conversations: 2 } },
  },
});

export const deleteItem = operation({
  summary:
    'Delete one item for everyone; a scheduled message is canceled first. Recorded in the audit log',
  status: 204,
  errors: ['hold.keeps'],
  params: itemId,
  answer: empty,
  example: { params: itemParams },
});

export const deleteMessages = operation({
  summary:
    'Delete a conversation’s messages; calls, voicemails, faxes and notes stay. Recorded in the audit log',
  status: 204,
  errors: ['hold.keeps'],
  params: conversationId,
  answer: empty,
  example: { params: oneExample },
});
