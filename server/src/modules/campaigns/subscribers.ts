import { carrierAccountChanged } from '#contract/numbers/carriers/events';
import { companyChanged } from '#contract/companies/events';
import {
  companyStatusChanged,
  companySuspensionChanged,
} from '#contract/companies/organizations/events';
import { contactOptedOut } from '#contract/compliance/events';
import { settingsChanged } from '#contract/settings/events';
import { conversationUpdated } from '#contract/conversations/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { countOptOut, countReply } from './count-replies.ts';
import {
  pauseForInactiveCompany,
  pauseForSuspension,
  pauseWithoutFeature,
} from './pause-campaign.ts';
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
  subscribe(
    companyStatusChanged,
    'pause-campaigns-of-inactive-company',
    (ctx) => ctx.transaction(pauseForInactiveCompany),
    { when: (company) => company.status !== 0 },
  ),
  subscribe(
    companySuspensionChanged,
    'pause-campaigns-of-suspended-company',
    (ctx) => ctx.transaction(pauseForSuspension),
    { when: (company) => company.suspended },
  ),
  subscribe(
    settingsChanged,
    'pause-campaigns-without-feature',
    (ctx) => ctx.transaction(pauseWithoutFeature),
    { when: ({ keys }) => keys.some((key) => key.startsWith('feature.')) },
  ),
  subscribe(companyChanged, 'campaign-hours', (ctx) => ctx.transaction(rescheduleWaitingCampaigns)),
];
