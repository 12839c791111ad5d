import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { conversations } from '#contract';
import {
  type ApiError,
  EmptyState,
  ErrorState,
  lazyComponent,
  SplitPanes,
  t,
  useApiQuery,
  useCommands,
  usePermission,
  useTitle,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { ConversationList } from '../list/ConversationList.tsx';
import { TeamDialogs } from '../team/TeamDialogs.tsx';
import { ThreadPane } from '../thread/ThreadPane.tsx';
import type { Conversation } from '../cache-updates.ts';
import { useConversationActions, type ConversationActions } from '../use-conversation-actions.ts';
import { MuteBell } from '../../notifications/index.ts';
import { inboxHref, useInbox } from '../list/use-inbox.ts';
import { conversationName } from '#ui/messaging/labels.ts';

const ContactPanel = lazyComponent(
  async () => (await import('../contact/ContactPanel.tsx')).ContactPanel,
);
const NewConversation = lazyComponent(
  async () => (await import('../composer/NewConversation.tsx')).NewConversation,
);

/** The shared inbox: list, thread, contact panel. */
export default function Inbox() {
  const { id, inbox, open, error, refetch } = useOpenConversation();
  const actions = useConversationActions();
  const [side, setSide] = useState(false);
  const [writing, setWriting] = useState(false);
  useTitle(open ? conversationName(open) : t('Inbox'));
  useEffect(() => setSide(false), [id]);
  useNewConversationCommand(() => setWriting(true));
  const list = (
    <ConversationList
      inbox={inbox}
      acts={actions}
      openId={id}
      open={open}
      onNew={() => setWriting(true)}
      besideNumber={(numberId, label) => <MuteBell numberId={numberId} label={label} />}
    />
  );
  const main = open ? (
    <OpenThread
      key={open.id}
      conversation={open}
      actions={actions}
      sideOpen={side}
      onSide={() => setSide(!side)}
    />
  ) : (
    <NoThread isSelected={id !== null} error={error} refetch={refetch} />
  );
  const name = open && conversationName(open);
  return (
    <>
      <SplitPanes
        name="inbox"
        visiblePane={id === null ? 'list' : side ? 'side' : 'main'}
        panes={[
          { key: 'list', label: t('Conversations'), width: 336, min: 264, content: list },
          {
            key: 'main',
            label: name ? t('Conversation with {name}', { name }) : t('Conversation'),
            content: main,
          },
          ...(open ? [contactPane(open, side ? () => setSide(false) : undefined)] : []),
        ]}
      />
      <TeamDialogs acts={actions} />
      <NewConversation opened={writing} onClose={() => setWriting(false)} />
    </>
  );
}

/** The list, and the conversation that the URL names: from the list until it is fetched. */
function useOpenConversation() {
  const id = useIdParam('conversationId');
  const { response, error, refetch } = useApiQuery(
    conversations.getConversation,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, staleTime: 600_000, silent: true },
  );
  const fetched = id !== null ? response?.data : undefined;
  const inbox = useInbox(fetched);
  const open = fetched ?? (id === null ? undefined : inbox.rows.find((c) => c.id === id));
  return { id, inbox, open, error, refetch };
}

function useNewConversationCommand(run: () => void): void {
  const maySend = usePermission('inbox.send');
  const command = { id: 'inbox.new', title: t('New conversation'), group: t('Actions'), run };
  useCommands(maySend ? [command] : []);
}

/** The thread, at the item that the hash names: `/inbox/9001#7001` is item 7001 of 9001. */
function OpenThread({
  conversation,
  actions,
  sideOpen,
  onSide,
}: {
  conversation: Conversation;
  actions: ConversationActions;
  sideOpen: boolean;
  onSide: () => void;
}) {
  const target = Number(useLocation({ select: (place) => place.hash.replace('#', '') })) || null;
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  return (
    <ThreadPane
      conversation={conversation}
      acts={actions}
      narrow={narrow}
      sideOpen={sideOpen}
      onSide={onSide}
      target={target}
    />
  );
}

const contactPane = (conversation: Conversation, onBack: (() => void) | undefined) => ({
  key: 'side' as const,
  label: t('About {name}', { name: conversationName(conversation) }),
  width: 276,
  min: 240,
  max: 400,
  content: <ContactPanel key={conversation.id} conversation={conversation} onBack={onBack} />,
});

/** Shown without an open conversation: none selected, not found, an error, or still loading. */
function NoThread({
  isSelected,
  error,
  refetch,
}: {
  isSelected: boolean;
  error: ApiError | null;
  refetch: () => void;
}) {
  if (!isSelected)
    return (
      <EmptyState icon={<IconMessages size={28} stroke={1.5} />} title={t('Select a conversation')}>
        {t('See every text, call and voicemail in one place.')}
      </EmptyState>
    );
  if (!error) return null;
  const isNotFound = error.status === 404 || error.status === 403;
  if (!isNotFound) return <ErrorState error={error} retry={refetch} />;
  return (
    <EmptyState
      title={t('Conversation not found')}
      action={
        <Button variant="default" component="a" href={inboxHref()}>
          {t('Go to inbox')}
        </Button>
      }
    >
      {t('It was deleted, or belongs to another company or a number you can’t access.')}
    </EmptyState>
  );
}
