import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** Old texts or calls were deleted, as the company's settings say. */
export const recordsExpired = event<typeof payloads.recordsExpired>({
  name: 'records.expired',
  channel: 'companies',
  invalidates: [
    ...['listConversations', 'getConversation', 'listConversationItems', 'getConversationItem'],
    ...['listInboxItems', 'listActivity', 'contactTimeline', 'getCall', 'neighboursOfCall'],
    ...['getNotificationCounts', 'getNotificationCountsByNumber', 'listInboxViews', 'getWaiting'],
    ...['callKpi', 'analyzeCalls', 'getDashboard', 'listNumbers', 'listNumbersDatatable'],
  ],
});

/** A27. `item` is set when one item is new or changed; a new item is published once. */
export const conversationUpdated = event<typeof payloads.conversationUpdated>({
  name: 'conversation-updated',
  channel: 'conversations',
  about: ['numberId'],
  invalidates: [
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
    'analyzeCalls',
    'getDashboard',
    'getWaiting',
  ],
});
