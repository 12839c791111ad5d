export { partyOfConversation } from './find-recipient.ts';
export { receiveTexts } from './text-webhooks.ts';
export { itemReceipts } from './item-receipts.ts';
export { assignToOwners } from './team/assign-conversations.ts';
export { appendItem, type ItemInput } from './append-item.ts';
export { queueText } from './queue-text.ts';
export { resumeTimers } from './resume-timers.ts';
export {
  appendCampaignMessages,
  updateCampaignMessages,
  type CampaignMessage,
} from './append-campaign-messages.ts';
export { storeMedia, prepareMedia } from './media.ts';
export { requireTextable } from './textable.ts';
export type { StoredMedia } from './item-details.ts';
export { textsOfHours } from './store-stats.ts';
export { waiting } from './waiting.ts';
export { unreadByNumber } from './store-lists.ts';
export { callbackDays } from './store-activity.ts';
export { publishConversationUpdated } from './publish-conversation-updated.ts';
export {
  conversationById,
  conversationsByIds,
  refreshLatest,
  type VisibleNumbers,
} from './store.ts';
export { numbersByIds } from './store-numbers.ts';
export { inboundBefore, itemById, itemsByIds, updateItem } from './store-items.ts';
export { deleteConversationsOf } from './keeping/delete-conversations.ts';
export { deleteNotesOfCalls, markFilesDeleted } from './keeping/store.ts';
