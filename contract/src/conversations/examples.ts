import type { Conversation, Item } from './schemas.ts';

export const at = '2026-11-21T09:15:04.000Z';

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
  possibleOptOut: null,
  whyNotText: null,
  enhancedCallerId: null,
  createdAt: at,
  assignee: null,
  team: null,
  snoozedUntil: null,
};

export const inboxItemExample = {
  ...itemExample,
  recipient: '+12125550147',
  contact: { id: 77, name: 'Dana Reed' },
};

export const inCompany = { companyId: 1 };

export const oneExample = { companyId: 1, id: 9001 };

export const itemParams = { companyId: 1, id: 9001, itemId: 7001 };
