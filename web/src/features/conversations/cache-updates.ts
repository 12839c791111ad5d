import type { Answer } from '#contract/kit';
import { conversations } from '#contract';
import { registerCacheUpdater, type ApiInput } from '#ui';
import type { ConversationUpdate } from './cache-pages.ts';
import { updateConversationList } from './list-cache.ts';
import { updateThreadItems } from './thread-cache.ts';
export type { Conversation, ConversationUpdate, Item, ItemOf } from './cache-pages.ts';
export { updateConversationList } from './list-cache.ts';
export { insertItem, updateThreadItems } from './thread-cache.ts';

/**
 * Applies live events to cached responses. Pure functions: applying events to a cached list gives
 * what a new fetch would return, or `undefined` when only the server can compute it and the query
 * must be refetched.
 */

/** Applies an event to a cached conversation; undefined: refetch. */
export function updateConversation(
  response: Answer<typeof conversations.getConversation>,
  update: ConversationUpdate,
  input: ApiInput<typeof conversations.getConversation>,
): typeof response | undefined {
  if (Number((input.params as { id?: unknown } | undefined)?.id) !== update.conversationId)
    return response;
  if (update.reason === 'deleted' && !update.item) return undefined;
  if (
    update.reason !== 'deleted' &&
    response.data.lastActivityAt > update.conversation.lastActivityAt
  )
    return response;
  return { ...response, data: update.conversation };
}

registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.listConversations,
  updateConversationList,
);
registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.listConversationItems,
  updateThreadItems,
);
registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.getConversation,
  updateConversation,
);
