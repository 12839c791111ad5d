import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const invalidatedEndpoints = [
  'listBlocks',
  'listConversations',
  'getConversation',
  'previewCampaign',
];

export const blockAdded = event<typeof payloads.blockAdded>({
  name: 'block.added',
  channel: 'companies',
  invalidates: invalidatedEndpoints,
  about: ['numberId'],
});

export const blockRemoved = event<typeof payloads.blockRemoved>({
  name: 'block.removed',
  channel: 'companies',
  invalidates: invalidatedEndpoints,
  about: ['numberId'],
});

const seen = [
  'getConversation',
  'listConversations',
  'getContact',
  'listContacts',
  'contactTimeline',
  'previewCampaign',
  'listInboxViews',
  'getWaiting',
];

export const contactOptedOut = event<typeof payloads.contactOptedOut>({
  name: 'contact.opted_out',
  channel: 'companies',
  invalidates: seen,
});

export const contactOptedIn = event<typeof payloads.contactOptedIn>({
  name: 'contact.opted_in',
  channel: 'companies',
  invalidates: seen,
});

/** The opt-out state of a number that was just added to a contact. For contacts. */
export const optOutSynced = event<typeof payloads.optOutSynced>({
  name: 'opt_out.known',
  channel: null,
});

/** The same for many numbers at once; null: not opted out. */
export const optOutsSynced = event<typeof payloads.optOutsSynced>({
  name: 'opt_outs.known',
  channel: null,
});
