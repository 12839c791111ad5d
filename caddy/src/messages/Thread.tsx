import { useEffect, useState } from 'react';
import { ActionIcon, Alert, Menu } from '@mantine/core';
import {
  IconArrowLeft,
  IconBan,
  IconDots,
  IconPhone,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import { caddy, compliance, conversations } from '#contract';
import { apiErrorText } from '#contract/errors';
import { errorCodeOfReason } from '#contract/compliance/rules';
import {
  api,
  confirm,
  ErrorState,
  Modal,
  navigate,
  PageSkeleton,
  t,
  useApiMutation,
  useApiQuery,
  useTitle,
} from '#ui';
import { conversationName, numberLabel, partyName } from '#ui/messaging/labels.ts';
import type { Conversation } from '#ui/messaging/types.ts';
import { ContactForm } from '../contacts/ContactForm.tsx';
import { PlanLink } from '../FormError.tsx';
import { callFrom } from '../calls/phone.ts';
import { Composer } from './Composer.tsx';
import { ThreadItems } from './ThreadItems.tsx';
import css from './Thread.module.css';

/** One conversation: its items, and the field to answer. */
export default function Thread({ id }: { id: number }) {
  const { response, error, refetch } = useApiQuery(
    conversations.getConversation,
    { params: { id } },
    { silent: true },
  );
  const conversation = response?.data;
  useTitle(conversation ? conversationName(conversation) : t('Conversation'));
  useReadWhenSeen(conversation);
  if (error && !conversation)
    return <ErrorState error={error} retry={refetch} notFound={t('Conversation not found')} />;
  if (!conversation) return <PageSkeleton />;
  const reason = conversation.whyNotText;
  return (
    <div className={css.thread}>
      <Head conversation={conversation} />
      <ThreadItems conversation={conversation} />
      {reason ? (
        <Alert color="yellow" m="sm" role="status">
          {apiErrorText(errorCodeOfReason[reason])}
        </Alert>
      ) : (
        <>
          <TextsUsedUp />
          <Composer conversation={conversation} />
        </>
      )}
    </div>
  );
}

/** Says that the plan has no texts left, and what helps. */
function TextsUsedUp() {
  const { response } = useApiQuery(caddy.getCaddyUsage, {}, { silent: true });
  const texts = response?.data.texts;
  if (!texts || texts.included === null || texts.used < texts.included) return null;
  return (
    <Alert color="yellow" mx="sm" mt="sm" role="status">
      {t('You have used the texts of your plan. Texts to you still arrive.')} <PlanLink />
    </Alert>
  );
}

/** What is on screen has been read. */
function useReadWhenSeen(conversation: Conversation | undefined): void {
  const unread = conversation?.numUnreadItems ?? 0;
  const id = conversation?.id;
  useEffect(() => {
    if (!id || unread === 0) return;
    const read = (): void => {
      if (document.visibilityState === 'visible')
        void api(conversations.readConversation, { params: { id } }, { silent: true }).catch(
          () => null,
        );
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread]);
}

function Head({ conversation }: { conversation: Conversation }) {
  const { contact, recipient, number } = conversation;
  return (
    <header className={css.head}>
      <ActionIcon component="a" href="/caddy/" size={44} aria-label={t('Back to messages')}>
        <IconArrowLeft size={20} />
      </ActionIcon>
      <div className={css.who}>
        <h1 className={css.name}>{conversationName(conversation)}</h1>
        <p className={css.facts}>
          {contact?.name ? `${partyName(recipient)} · ` : ''}
          {t('with {number}', { number: numberLabel(number) })}
        </p>
      </div>
      {recipient.startsWith('+') && (
        <ActionIcon
          size={44}
          aria-label={t('Call {who}', { who: conversationName(conversation) })}
          onClick={() => void callFrom(number.id, recipient)}
        >
          <IconPhone size={20} />
        </ActionIcon>
      )}
      <ThreadMenu conversation={conversation} />
    </header>
  );
}

function NameDialog(props: { conversation: Conversation; isOpen: boolean; close: () => void }) {
  const { contact, recipient } = props.conversation;
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.close}
      title={contact?.name ? t('Rename contact') : t('New contact')}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size="sm"
    >
      <ContactForm contact={contact} number={recipient} close={props.close} />
    </Modal>
  );
}

/** What ends or hides a conversation, each after a question. */
function useThreadActions(conversation: Conversation) {
  const { id, recipient } = conversation;
  const who = conversationName(conversation);
  const remove = useApiMutation(conversations.deleteMessages, {
    invalidates: [conversations.listConversations],
  });
  const block = useApiMutation(compliance.addBlock, {
    invalidates: [conversations.listConversations, conversations.getConversation],
    success: t('{who} is blocked', { who }),
  });
  const archive = useApiMutation(conversations.archiveConversation, {
    invalidates: [conversations.listConversations],
  });
  const askToDelete = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete this conversation?'),
      body: t('All its messages are deleted. This can’t be undone.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!isSure || !(await remove.mutate({ params: { id } }))) return;
    await archive.mutate({ params: { id } });
    navigate('/caddy/', { replace: true });
  };
  const askToBlock = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Block {who}?', { who }),
      body: t('Their calls and texts no longer reach you. Unblock them under Account.'),
      confirmLabel: t('Block'),
      danger: true,
    });
    if (isSure) await block.mutate({ body: { target: recipient } });
  };
  return { askToBlock, askToDelete };
}

function ThreadMenu({ conversation }: { conversation: Conversation }) {
  const { recipient, contact } = conversation;
  const [isNaming, setNaming] = useState(false);
  const stopNaming = (): void => setNaming(false);
  const { askToBlock, askToDelete } = useThreadActions(conversation);
  return (
    <>
      <NameDialog conversation={conversation} isOpen={isNaming} close={stopNaming} />
      <Menu>
        <Menu.Target>
          <ActionIcon size={44} aria-label={t('More about this conversation')}>
            <IconDots size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {recipient.startsWith('+') && (
            <Menu.Item leftSection={<IconUserPlus size={16} />} onClick={() => setNaming(true)}>
              {contact?.name ? t('Rename contact') : t('Save contact')}
            </Menu.Item>
          )}
          {!conversation.isBlocked && (
            <Menu.Item leftSection={<IconBan size={16} />} onClick={() => void askToBlock()}>
              {t('Block')}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => void askToDelete()}
          >
            {t('Delete conversation')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
