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
import { useConversationActions } from '../use-conversation-actions.ts';
import { MuteBell } from '../../notifications/index.ts';
import { inboxHref, useInbox } from '../list/use-inbox.ts';
import { conversationName } from '../labels.ts';

const ContactPanel = lazyComponent(
  async () => (await import('../contact/ContactPanel.tsx')).ContactPanel,
);
const NewConversation = lazyComponent(
  async () => (await import('../composer/NewConversation.tsx')).NewConversation,
);

/** The shared inbox: list, thread, contact panel. */
export default function Inbox() {
  const id = useIdParam('conversationId');
  // The path `/inbox/9001#7001` opens conversation 9001 at item 7001.
  const target = Number(useLocation({ select: (place) => place.hash.replace('#', '') })) || null;
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const { response, error, refetch } = useApiQuery(
    conversations.getConversation,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, staleTime: 600_000, silent: true },
  );
  const fetched = id !== null ? response?.data : undefined;
  const inbox = useInbox(fetched);
  const open = fetched ?? (id === null ? undefined : inbox.rows.find((c) => c.id === id));
  const actions = useConversationActions();
  const [side, setSide] = useState(false);
  const [writing, setWriting] = useState(false);
  const maySend = usePermission('inbox.send');
  useTitle(open ? conversationName(open) : t('Inbox'));
  useEffect(() => setSide(false), [id]);
  useCommands(
    maySend
      ? [
          {
            id: 'inbox.new',
            title: t('New conversation'),
            group: t('Actions'),
            run: () => setWriting(true),
          },
        ]
      : [],
  );

  const main = open ? (
    <ThreadPane
      key={open.id}
      conversation={open}
      acts={actions}
      narrow={narrow}
      sideOpen={side}
      onSide={() => setSide(!side)}
      target={target}
    />
  ) : (
    <NoThread isSelected={id !== null} error={error} refetch={refetch} />
  );

  return (
    <>
      <SplitPanes
        name="inbox"
        visiblePane={id === null ? 'list' : side ? 'side' : 'main'}
        panes={[
          {
            key: 'list',
            label: t('Conversations'),
            width: 336,
            min: 264,
            content: (
              <ConversationList
                inbox={inbox}
                acts={actions}
                openId={id}
                open={open}
                onNew={() => setWriting(true)}
                besideNumber={(numberId, label) => <MuteBell numberId={numberId} label={label} />}
              />
            ),
          },
          {
            key: 'main',
            label: open
              ? t('Conversation with {name}', { name: conversationName(open) })
              : t('Conversation'),
            content: main,
          },
          ...(open
            ? [
                {
                  key: 'side' as const,
                  label: t('About {name}', { name: conversationName(open) }),
                  width: 276,
                  min: 240,
                  max: 400,
                  content: (
                    <ContactPanel
                      key={open.id}
                      conversation={open}
                      onBack={side ? () => setSide(false) : undefined}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      <TeamDialogs acts={actions} />
      <NewConversation opened={writing} onClose={() => setWriting(false)} />
    </>
  );
}

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
