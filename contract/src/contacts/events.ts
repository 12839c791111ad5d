import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const everywhere = [
  'getContact',
  'contactVcard',
  'listContacts',
  'contactTimeline',
  'listBlocks',
  'listConversations',
  'getConversation',
  'listActivity',
  'listInboxItems',
  'getWaiting',
  'getCall',
  'getCompany',
  'listCampaignEvents',
  'getCampaign',
  'previewCampaign',
];

const lists = [
  ...everywhere,
  'countContacts',
  'previewMerge',
  'listGroups',
  'getGroup',
  'listContactLabels',
  'getErasureState',
];

/** A contact was added (`added`) or changed. */
export const contactChanged = event<typeof payloads.contactChanged>({
  name: 'contact.changed',
  channel: 'companies',
  invalidates: lists,
});

/** Contacts were changed in bulk, deleted, restored or grouped; screens refetch. */
export const contactsChanged = event<typeof payloads.contactsChanged>({
  name: 'contacts.changed',
  channel: 'companies',
  invalidates: lists,
});

/**
 * First call or text of a number that day; groups whose rules depend on activity dates are
 * evaluated again.
 */
export const contactActivityRecorded = event<typeof payloads.contactActivityRecorded>({
  name: 'contact.heard',
  channel: 'companies',
  invalidates: ['listGroups', 'getGroup', 'countContacts', 'listContacts'],
});

/** Progress of a bulk action on more than 1,000 contacts. */
export const contactsBulkProgressed = event<typeof payloads.contactsBulkProgressed>({
  name: 'contacts-bulk-progress',
  channel: 'companies',
  invalidates: ['contactsProgress'],
});

export const contactsBulkCompleted = event<typeof payloads.contactsBulkCompleted>({
  name: 'contacts-bulk-completed',
  channel: 'companies',
  invalidates: ['contactsProgress'],
});

/** These numbers now belong to these contacts, after a bulk write, restore, merge or its undo. */
export const contactNumbersLinked = event<typeof payloads.contactNumbersLinked>({
  name: 'contacts.have',
  channel: null,
});
