export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export { receiveReceipts, receiveTexts } from './text-webhooks.ts';
export { appendItem, type ItemInput } from './append-item.ts';
export { queueText } from './queue-text.ts';
export {
  appendCampaignMessages,
  updateCampaignMessages,
  type CampaignMessage,
} from './append-campaign-messages.ts';
export { storeMedia, prepareMedia } from './media.ts';
export { requireTextable } from './textable.ts';
export type { StoredMedia } from './present.ts';
export { countTextsBetween } from './store-stats.ts';
export { waiting } from './waiting.ts';
export { callbackDays } from './store-activity.ts';
export { receiveText } from './receive-texts.ts';
export { receiveReceipt } from './receive-receipt.ts';
export { carrierFaxRoutes, receiveFax } from './fax/fax-webhooks.ts';
import { owns as faxOwns } from './fax/store-fax.ts';
import { owns as teamOwns } from './team/store.ts';
import { owns as ownOwns } from './store.ts';
export const owns = [...ownOwns, ...faxOwns, ...teamOwns] as const;
