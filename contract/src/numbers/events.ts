import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const lists = [
  'listNumbers',
  'listNumbersDatatable',
  'listNumbersOfCompany',
  'numberStats',
  'companyAreaCodes',
  'getCompany',
] as const;

/** Endpoints whose responses contain a number’s label or whether it can text. */
const saysIt = [
  'contactTimeline',
  'listConversations',
  'listConversationItems',
  'getConversationItem',
  'getConversation',
  'listInboxItems',
  'listActivity',
  'getWaiting',
  'getCall',
  'listCampaigns',
  'getCampaign',
  'previewCampaign',
] as const;

export const numberPurchased = event<typeof payloads.numberPurchased>({
  name: 'number.purchased',
  channel: 'companies',
  invalidates: [...lists, 'numberLimit'],
  about: ['numberId'],
});

export const numberChanged = event<typeof payloads.numberChanged>({
  name: 'number.changed',
  channel: 'companies',
  invalidates: [
    ...lists,
    'getNumber',
    'getPool',
    'listTags',
    'listSmsCampaigns',
    'getSmsCampaign',
    'listLiveCalls',
    'getLiveCall',
    ...saysIt,
  ],
  about: ['numberId'],
});

/** The number is being released: calls and texts stop now. */
export const numberReleasing = event<typeof payloads.numberReleasing>({
  name: 'number.releasing',
  channel: 'companies',
  invalidates: [...lists, 'getNumber', 'numberLimit', ...saysIt],
  about: ['numberId'],
});

export const numberKept = event<typeof payloads.numberKept>({
  name: 'number.kept',
  channel: 'companies',
  invalidates: [...lists, 'getNumber', 'numberLimit', ...saysIt],
  about: ['numberId'],
});

/** The number was returned to the carrier. */
export const numberReleased = event<typeof payloads.numberReleased>({
  name: 'number.released',
  channel: 'companies',
  invalidates: [...lists, 'getNumber', 'numberLimit', ...saysIt, 'extensionSuggestions'],
  about: ['numberId'],
});

/**
 * The lessee released the number and the time to undo it is over: the marketplace returns it to its
 * owner.
 */
export const leasedNumberReturned = event<typeof payloads.leasedNumberReturned>({
  name: 'number.returned',
  channel: null,
});

export const numberLimitRequested = event<typeof payloads.numberLimitRequested>({
  name: 'number-limit.requested',
  channel: 'companies',
  invalidates: ['numberLimit'],
});

export const bulkPurchaseProgressed = event<typeof payloads.bulkPurchaseProgressed>({
  name: 'bulk-purchase-progress',
  channel: 'bulk-purchase',
  invalidates: ['bulkPurchaseProgress'],
});

export const bulkPurchaseFinished = event<typeof payloads.bulkPurchaseFinished>({
  name: 'bulk-purchase-finished',
  channel: 'bulk-purchase',
  invalidates: ['bulkPurchaseProgress', 'numberLimit'],
});

export const updateNumbersProgressed = event<typeof payloads.updateNumbersProgressed>({
  name: 'update-numbers-progress',
  channel: 'companies',
  invalidates: ['bulkPurchaseProgress'],
});

export const updateNumbersCompleted = event<typeof payloads.updateNumbersCompleted>({
  name: 'update-numbers-completed',
  channel: 'companies',
  invalidates: [...lists, 'bulkPurchaseProgress', 'listNumberTemplates'],
});

export const releaseNumbersProgressed = event<typeof payloads.releaseNumbersProgressed>({
  name: 'release-numbers-progress',
  channel: 'companies',
  invalidates: ['bulkPurchaseProgress'],
});

export const releaseNumbersCompleted = event<typeof payloads.releaseNumbersCompleted>({
  name: 'release-numbers-completed',
  channel: 'companies',
  invalidates: [...lists, 'bulkPurchaseProgress', 'numberLimit'],
});

/** `newNumberId` replaces `numberId`; tracking moves its pool and leases. */
export const numberRotated = event<typeof payloads.numberRotated>({
  name: 'number.rotated',
  channel: 'companies',
  invalidates: [
    ...lists,
    'getNumber',
    'numberTimelineEvents',
    'numberTimelineMetaData',
    'listCompanyUsers',
    'getCompanyUser',
  ],
  about: ['numberId'],
});
