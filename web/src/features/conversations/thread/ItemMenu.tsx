import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { lazyComponent, t } from '#ui';
import type { Conversation, Item } from '../cache-updates.ts';
import css from './ItemMenu.module.css';

const ItemMenuItems = lazyComponent(
  async () => (await import('./ItemMenuItems.tsx')).ItemMenuItems,
);

/** Actions on one item. */
export function ItemMenu({
  item,
  conversation,
  mayDelete,
}: {
  item: Item;
  conversation: Conversation;
  mayDelete: boolean;
}) {
  const text =
    item.kind === 'message'
      ? item.details.content
      : item.kind === 'note'
        ? item.details.body
        : item.kind === 'voicemail'
          ? item.details.transcription
          : null;
  const mayUnread =
    item.isInbound && ['message', 'call', 'voicemail', 'fax', 'form'].includes(item.kind);
  if (!text && !mayUnread && !mayDelete) return null;

  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon className={css.more} size={26} aria-label={t('Item options')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ItemMenuItems
          item={item}
          conversation={conversation}
          text={text}
          mayUnread={mayUnread}
          mayDelete={mayDelete}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
