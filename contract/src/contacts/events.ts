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
];

/** A contact was made or changed; `added` tells which. */
export const contactChanged = event<typeof payloads.contactChanged>({
  name: 'contact.changed',
  channel: 'companies',
  touches: lists,
});

/** Many contacts changed at once, or some were deleted, restored or sorted into groups: screens look again. */
export const contactsChanged = event<typeof payloads.contactsChanged>({
  name: 'contacts.changed',
  channel: 'companies',
  touches: lists,
});

/** A number called or texted us for the first time that day: rules that ask when are asked anew. */
export const contactActivityRecorded = event<typeof payloads.contactActivityRecorded>({
  name: 'contact.heard',
  channel: 'companies',
  touches: ['listGroups', 'getGroup', 'countContacts', 'listContacts'],
});

/** A bulk action on more than a thousand goes on, and ends. */
export const contactsBulkProgressed = event<typeof payloads.contactsBulkProgressed>({
  name: 'contacts-bulk-progress',
  channel: 'companies',
  touches: ['contactsProgress'],
});

export const contactsBulkCompleted = event<typeof payloads.contactsBulkCompleted>({
  name: 'contacts-bulk-completed',
  channel: 'companies',
  touches: ['contactsProgress'],
});

/** These numbers belong to these contacts from now on: made or restored by the thousand, or moved by a merge and its undo. */
export const contactNumbersLinked = event<typeof payloads.contactNumbersLinked>({
  name: 'contacts.have',
  channel: null,
});
