import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

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
