import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A27: at most once a second a campaign. */
export const campaignsUpdated = event<typeof payloads.campaignsUpdated>({
  name: 'campaigns-updated',
  channel: 'campaigns',
  about: ['numberId'],
  touches: ['listCampaigns', 'getCampaign', 'listCampaignEvents', 'previewCampaign'],
});

/** Texts of a campaign took their place in conversations, many at once, or moved on there. */
export const campaignInboxSynced = event<typeof payloads.campaignInboxSynced>({
  name: 'campaign-texts-filed',
  channel: 'conversations',
  about: ['numberId'],
  touches: [
    'listConversations',
    'getConversation',
    'listConversationItems',
    'getConversationItem',
    'listInboxItems',
    'listInboxViews',
    'listActivity',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCompany',
    'listCampaignEvents',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'getWaiting',
    'contactTimeline',
    'listNotes',
  ],
});

/** For monitoring, integrations and notifications: why it stopped by itself. */
export const campaignPaused = event<typeof payloads.campaignPaused>({
  name: 'campaign.paused',
  channel: null,
});

export const campaignFinished = event<typeof payloads.campaignFinished>({
  name: 'campaign.finished',
  channel: null,
});
