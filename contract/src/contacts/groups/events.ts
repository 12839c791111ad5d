import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A group or label was added, renamed, deleted or restored, or its rule changed. */
export const contactGroupsChanged = event<typeof payloads.contactGroupsChanged>({
  name: 'contact-groups.changed',
  channel: 'companies',
  invalidates: [
    'listGroups',
    'getGroup',
    'listContacts',
    'getContact',
    'countContacts',
    'previewMerge',
    'listCampaigns',
    'getCampaign',
    'previewCampaign',
  ],
});

export const contactLabelsChanged = event<typeof payloads.contactLabelsChanged>({
  name: 'contact-labels.changed',
  channel: 'companies',
  invalidates: [
    'listContactLabels',
    'listContacts',
    'getContact',
    'contactVcard',
    'previewMerge',
    'listConversations',
    'getConversation',
  ],
});
