import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Erasing a person began or got ahead. */
export const erasureProgressed = event<typeof payloads.erasureProgressed>({
  name: 'erasure-progress',
  channel: 'companies',
  invalidates: ['getErasureState', 'erasureProgress'],
});

/** Erasing a person ended; `failure` says what to do, null: the person is gone. */
export const erasureCompleted = event<typeof payloads.erasureCompleted>({
  name: 'erasure-completed',
  channel: 'companies',
  invalidates: ['getErasureState', 'erasureProgress'],
});

/** A person is gone with all that was theirs. */
export const personErased = event<typeof payloads.personErased>({
  name: 'person.erased',
  channel: 'companies',
  invalidates: [
    ...['getContact', 'contactVcard', 'listContacts', 'countContacts', 'previewMerge'],
    ...['listGroups', 'getGroup', 'listContactLabels', 'previewErasure', 'getErasureState'],
    ...['listContactImports', 'getContactImport', 'listExports', 'getExport', 'listArchives'],
    ...['listFieldUpdates', 'listOrganizationFieldUpdates'],
    ...['listConversations', 'getConversation', 'listConversationItems', 'getConversationItem'],
    ...['listInboxItems', 'listActivity', 'contactTimeline', 'getCall', 'neighboursOfCall'],
    ...['getNotificationCounts', 'getNotificationCountsByNumber', 'listInboxViews', 'getWaiting'],
    ...['callKpi', 'analyzeCalls', 'getDashboard', 'listNumbers', 'listNumbersDatatable'],
  ],
});

/** What is a person's is held for a court, or no longer. */
export const legalHoldChanged = event<typeof payloads.legalHoldChanged>({
  name: 'legal_hold.changed',
  channel: 'companies',
  invalidates: ['previewErasure', 'getErasureState'],
});
