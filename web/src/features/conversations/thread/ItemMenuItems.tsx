import { Menu } from '@mantine/core';
import { IconCopy, IconMail, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { conversations } from '#contract';
import { api, optimisticUpdate, confirm, toast, navigate, t } from '#ui';
import { updateThreadItems, type Conversation, type Item } from '../cache-updates.ts';
import { inboxHref } from '../list/use-inbox.ts';

/** The entries of an item's menu. `text`: what can be copied. */
export function ItemMenuItems({
  item,
  conversation,
  text,
  mayUnread,
  mayDelete,
}: {
  item: Item;
  conversation: Conversation;
  text: string | null;
  mayUnread: boolean;
  mayDelete: boolean;
}) {
  const cache = useQueryClient();
  const unread = async (): Promise<void> => {
    // Leave the thread first: an open thread marks itself read again.
    navigate(inboxHref());
    await api(conversations.unreadItem, { params: { id: conversation.id, itemId: item.id } }).catch(
      () => null,
    );
  };
  const remove = async (): Promise<void> => {
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
      (response, input, page) =>
        updateThreadItems(
          response,
          { conversationId: conversation.id, reason: 'deleted', item, conversation },
          input,
          page,
        ),
    );
    await api(conversations.deleteItem, { params: { id: conversation.id, itemId: item.id } }).then(
      () => toast.success(t('Deleted')),
      undo,
    );
  };
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
        <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => void unread()}>
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
