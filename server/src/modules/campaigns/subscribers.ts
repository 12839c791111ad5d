import { carrierAccountChanged } from '#contract/carriers';
import { companyChanged } from '#contract/companies';
import { contactOptedOut } from '#contract/compliance';
import { conversationUpdated } from '#contract/conversations';
import { subscribe } from '../../platform/outbox-relay.ts';
import { countOptOut, countReply } from './count-replies.ts';
import { rescheduleWaitingCampaigns } from './sending-hours.ts';
import { wakeCampaignsWaitingForCarrier } from './store.ts';

export const subscribers = [
  subscribe(conversationUpdated, 'count-replies', countReply, {
    when: (u) => u.reason === 'new_item' && u.item?.kind === 'message' && u.item.isInbound,
  }),
  subscribe(contactOptedOut, 'count-leavers', countOptOut),
  subscribe(
    carrierAccountChanged,
    'go-on-with-campaigns',
    (ctx) => ctx.transaction((t) => wakeCampaignsWaitingForCarrier(t.tx, t.companyId, t.now)),
    { when: (account) => account.working },
  ),
  subscribe(companyChanged, 'campaign-hours', (ctx) => ctx.transaction(rescheduleWaitingCampaigns)),
];
