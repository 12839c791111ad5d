import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A person is gone with all that was theirs. */
export const personErased = event<typeof payloads.personErased>({
  name: 'person.erased',
  channel: 'companies',
  invalidates: [
    ...['getContact', 'contactVcard', 'listContacts', 'countContacts', 'previewMerge'],
    ...['listGroups', 'getGroup', 'listContactLabels', 'previewErasure'],
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
  invalidates: ['previewErasure'],
});
