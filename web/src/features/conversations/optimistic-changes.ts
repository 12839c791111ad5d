import { conversations } from '#contract';
import { api, optimisticUpdate, type Undo } from '#ui';
import {
  updateConversationList,
  updateConversation,
  type Conversation,
  type ConversationUpdate,
} from './cache-updates.ts';
import type { QueryClient } from '@tanstack/react-query';

export type ConversationAction = 'archive' | 'restore' | 'read' | 'unread' | 'delete';
const noUnread = { messages: 0, calls: 0, voicemails: 0, faxes: 0 };
export const optimisticChanges: Record<
  Exclude<ConversationAction, 'delete'>,
  { reason: ConversationUpdate['reason']; to: (c: Conversation) => Conversation }
> = {
  archive: { reason: 'archived', to: (c) => ({ ...c, isArchived: true }) },
  restore: { reason: 'restored', to: (c) => ({ ...c, isArchived: false, snoozedUntil: null }) },
  read: { reason: 'read', to: (c) => ({ ...c, numUnreadItems: 0, unread: noUnread }) },
  unread: {
    reason: 'unread',
    to: (c) => ({ ...c, numUnreadItems: Math.max(1, c.numUnreadItems) }),
  },
};

/** Applies a change to the cached conversations; the returned function rolls it back. */
export const applyOptimistically = (
  cache: QueryClient,
  reason: ConversationUpdate['reason'],
  to: (c: Conversation) => Conversation,
  list: readonly Conversation[],
): Undo => {
  const undos = list.flatMap((c) => {
    const update: ConversationUpdate = { conversationId: c.id, reason, conversation: to(c) };
    return [
      optimisticUpdate(cache, conversations.listConversations, (response, input, page) =>
        updateConversationList(response, update, input, page),
      ),
      optimisticUpdate(cache, conversations.getConversation, (response, input) =>
        updateConversation(response, update, input),
      ),
    ];
  });
  return () => undos.reverse().forEach((undo) => undo());
};

/** Sends an action; rejects on errors. */
export const sendAction = (
  act: ConversationAction,
  list: readonly Conversation[],
): Promise<unknown> => {
  const [one] = list;
  if (list.length === 1 && one && act === 'archive')
    return api(conversations.archiveConversation, { params: { id: one.id } });
  if (list.length === 1 && one && act === 'restore')
    return api(conversations.restoreConversation, { params: { id: one.id } });
  if (list.length === 1 && one && act === 'read')
    return api(conversations.readConversation, { params: { id: one.id } }, { silent: true });
  return api(conversations.bulkUpdateConversations, {
    body: { ids: list.map((c) => c.id), type: act },
  });
};
