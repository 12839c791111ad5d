import { Menu } from '@mantine/core';
import { IconCopy, IconMail, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { api, optimisticUpdate, confirm, toast, navigate, t } from '#ui';
import { updateThreadItems, type Conversation, type Item } from '../cache-updates.ts';
import { inboxHref } from '../list/use-inbox.ts';

interface ItemMenuProps {
  item: Item;
  conversation: Conversation;
  text: string | null;
  mayUnread: boolean;
  mayDelete: boolean;
}

/** The entries of an item's menu. `text`: what can be copied. */
export function ItemMenuItems({ item, conversation, text, mayUnread, mayDelete }: ItemMenuProps) {
  const remove = useRemoveItem(item, conversation);
  return (
    <>
      {text && (
        <Menu.Item
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => toast.neutral(t('Copied')),
              () => toast.warn(t('Your browser blocked copying.')),
            )
          }
        >
          {t('Copy text')}
        </Menu.Item>
      )}
      {mayUnread && (
        <Menu.Item
          leftSection={<IconMail size={16} aria-hidden />}
          onClick={() => void markUnread(item, conversation)}
        >
          {t('Mark unread')}
        </Menu.Item>
      )}
      {mayDelete && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void remove()}
        >
          {t('Delete')}
        </Menu.Item>
      )}
    </>
  );
}

async function markUnread(item: Item, { id }: Conversation): Promise<void> {
  // Leave the thread first: an open thread marks itself read again.
  navigate(inboxHref());
  await api(conversations.unreadItem, { params: { id, itemId: item.id } }).catch(() => null);
}

/** Deletes the item for everyone, after a confirmation. */
function useRemoveItem(item: Item, conversation: Conversation): () => Promise<void> {
  const cache = useQueryClient();
  const update = {
    conversationId: conversation.id,
    reason: 'deleted',
    item,
    conversation,
  } as const;
  return async () => {
    const sure = await confirm({
      title: t('Delete this for everyone?'),
      body:
        item.kind === 'scheduledmessage'
          ? t('The message is canceled and won’t be sent.')
          : t('It’s removed from the conversation. Call records stay. This can’t be undone.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!sure) return;
    const undo = optimisticUpdate(
      cache,
      conversations.listConversationItems,
      (response, input, page) => updateThreadItems(response, update, input, page),
    );
    await api(conversations.deleteItem, { params: { id: conversation.id, itemId: item.id } }).then(
      () => toast.success(t('Deleted')),
      undo,
    );
  };
}
