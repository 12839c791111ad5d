import { useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { lazyComponent, t } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import type { Conversation } from '../cache-updates.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';

const ThreadMenuItems = lazyComponent(
  async () => (await import('./ThreadMenuItems.tsx')).ThreadMenuItems,
);
const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);

/**
 * Less frequent actions on a conversation; on narrow screens also those that don't fit in the
 * header.
 */
export function ThreadMenu({
  conversation,
  acts: actions,
  narrow,
}: {
  conversation: Conversation;
  acts: ConversationActions;
  narrow: boolean;
}) {
  const { recipient, contact, number } = conversation;
  const [faxes, setFaxes] = useState(false);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={t('More')}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ThreadMenuItems
            conversation={conversation}
            acts={actions}
            narrow={narrow}
            onFax={() => setFaxes(true)}
          />
        </Menu.Dropdown>
      </Menu>
      {faxes && (
        <SendFax
          to={{
            number: recipient,
            party: partyFor(recipient, `conversation:${conversation.id}`),
            name: contact?.name || null,
            ours: number.id,
          }}
          onClose={() => setFaxes(false)}
        />
      )}
    </>
  );
}
