import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A27: at most once per second and campaign. */
export const campaignsUpdated = event<typeof payloads.campaignsUpdated>({
  name: 'campaigns-updated',
  channel: 'campaigns',
  about: ['numberId'],
  invalidates: ['listCampaigns', 'getCampaign', 'listCampaignEvents', 'previewCampaign'],
});

/** A batch of campaign texts was added to conversations, or changed its delivery status there. */
export const campaignInboxSynced = event<typeof payloads.campaignInboxSynced>({
  name: 'campaign-texts-filed',
  channel: 'conversations',
  about: ['numberId'],
  invalidates: [
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

/** Why a campaign was paused automatically; for monitoring, integrations and notifications. */
export const campaignPaused = event<typeof payloads.campaignPaused>({
  name: 'campaign.paused',
  channel: null,
});

export const campaignFinished = event<typeof payloads.campaignFinished>({
  name: 'campaign.finished',
  channel: null,
});
