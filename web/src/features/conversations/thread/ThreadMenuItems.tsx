import { Menu } from '@mantine/core';
import {
  IconBan,
  IconCircleCheck,
  IconClockPause,
  IconFileText,
  IconMail,
  IconMessageX,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import { conversations } from '#contract';
import { isNumber } from '#contract/party';
import { confirm, navigate, t, useApiMutation, usePermission } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import { useBlockCaller } from '../../compliance/index.ts';
import type { Conversation } from '../cache-updates.ts';
import { conversationName } from '#ui/messaging/labels.ts';
import { inboxHref } from '../list/use-inbox.ts';
import { openTeamDialog } from '../team/team-dialog.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { openSnooze } from './open-snooze.ts';

/** The entries of a conversation's menu. */
export function ThreadMenuItems({
  conversation,
  acts: actions,
  narrow,
  onFax,
}: {
  conversation: Conversation;
  acts: ConversationActions;
  narrow: boolean;
  onFax: () => void;
}) {
  const someNumberFaxes = useOurNumbers().some((n) => n.canFax);
  const canSend = usePermission('inbox.send');
  const hasNumber = isNumber(conversation.recipient);
  const canFax = canSend && someNumberFaxes && hasNumber && !conversation.isBlocked;
  const markUnread = (): void => {
    navigate(inboxHref());
    void actions.unread([conversation]);
  };
  return (
    <>
      {narrow && <TeamItems conversation={conversation} />}
      <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={markUnread}>
        {t('Mark unread')}
      </Menu.Item>
      {canFax && (
        <Menu.Item leftSection={<IconFileText size={16} aria-hidden />} onClick={onFax}>
          {t('Send a fax')}
        </Menu.Item>
      )}
      <BlockItem conversation={conversation} />
      {actions.mayDelete && <DeleteItems conversation={conversation} acts={actions} />}
    </>
  );
}

const TeamItems = ({ conversation }: { conversation: Conversation }) => (
  <>
    <Menu.Item
      leftSection={<IconUserPlus size={16} aria-hidden />}
      onClick={() => openTeamDialog('assign', [conversation])}
    >
      {t('Assign')}
    </Menu.Item>
    <Menu.Item
      leftSection={<IconClockPause size={16} aria-hidden />}
      onClick={() => openSnooze(conversation)}
    >
      {t('Snooze')}
    </Menu.Item>
  </>
);

function BlockItem({ conversation }: { conversation: Conversation }) {
  const { id, recipient } = conversation;
  const blocking = useBlockCaller(recipient, partyFor(recipient, `conversation:${id}`));
  if (!blocking.may) return null;
  return conversation.isBlocked ? (
    <Menu.Item
      leftSection={<IconCircleCheck size={16} aria-hidden />}
      onClick={() => void blocking.unblock()}
    >
      {t('Unblock')}
    </Menu.Item>
  ) : (
    <Menu.Item
      leftSection={<IconBan size={16} aria-hidden />}
      onClick={() => void blocking.block()}
    >
      {t('Block')}
    </Menu.Item>
  );
}

function DeleteItems({
  conversation,
  acts: actions,
}: {
  conversation: Conversation;
  acts: ConversationActions;
}) {
  const { mutate: deleteMessages } = useApiMutation(conversations.deleteMessages, {
    success: t('Messages deleted'),
    invalidates: [conversations.listConversationItems, conversations.listConversations],
  });
  const askAndDeleteMessages = async (): Promise<void> => {
    const confirmed = await confirm({
      title: t('Delete all messages with {name}?', { name: conversationName(conversation) }),
      body: t('Calls, voicemails, faxes and notes stay. This can’t be undone.'),
      confirmLabel: t('Delete messages'),
      danger: true,
    });
    if (confirmed) void deleteMessages({ params: { id: conversation.id } });
  };
  const remove = async (): Promise<void> => {
    if (await actions.remove([conversation])) navigate(inboxHref());
  };
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconMessageX size={16} aria-hidden />}
        onClick={() => void askAndDeleteMessages()}
      >
        {t('Delete messages')}
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => void remove()}
      >
        {t('Delete conversation')}
      </Menu.Item>
    </>
  );
}
