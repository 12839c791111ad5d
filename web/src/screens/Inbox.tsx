import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { conversations } from '#contract';
import {
  EmptyState,
  ErrorState,
  lazyPart,
  SplitPanes,
  t,
  useAsk,
  useCommands,
  useMay,
  useTitle,
} from '#ui';
import { useIdParam } from '../app/params.ts';
import { ConversationList } from '../features/conversations/ConversationList.tsx';
import { PersonPanel } from '../features/conversations/PersonPanel.tsx';
import { TeamDialogs } from '../features/conversations/team/TeamDialogs.tsx';
import { ThreadPane } from '../features/conversations/ThreadPane.tsx';
import { useActs } from '../features/conversations/use-acts.ts';
import { MuteBell } from '../features/notifications/MuteBell.tsx';
import { inboxHref, useInbox } from '../features/conversations/use-inbox.ts';
import { nameOf } from '../features/conversations/words.ts';

const NewConversation = lazyPart(
  async () => (await import('../features/conversations/NewConversation.tsx')).NewConversation,
);

/** The shared inbox: list, thread, person. */
export default function Inbox() {
  const id = useIdParam('conversationId');
  // `/inbox/9001#7001`: the conversation, at this item.
  const target = Number(useLocation({ select: (place) => place.hash.replace('#', '') })) || null;
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const { answer, refusal, again } = useAsk(
    conversations.getConversation,
    { params: { id: id ?? 0 } },
    { when: id !== null, freshMs: 600_000, quiet: true },
  );
  const fetched = id !== null ? answer?.data : undefined;
  const inbox = useInbox(fetched);
  const open = fetched ?? (id === null ? undefined : inbox.rows.find((c) => c.id === id));
  const acts = useActs();
  const [side, setSide] = useState(false);
  const [writing, setWriting] = useState(false);
  const maySend = useMay('inbox.send');
  useTitle(open ? nameOf(open) : t('Inbox'));
  useEffect(() => setSide(false), [id]);
  useCommands(
    maySend
      ? [
          {
            id: 'inbox.new',
            title: t('New conversation'),
            group: t('Do'),
            run: () => setWriting(true),
          },
        ]
      : [],
  );

  const main = open ? (
    <ThreadPane
      key={open.id}
      conversation={open}
      acts={acts}
      narrow={narrow}
      sideOpen={side}
      onSide={() => setSide(!side)}
      target={target}
    />
  ) : id !== null && refusal ? (
    refusal.status === 404 || refusal.status === 403 ? (
      <EmptyState
        title={t('This conversation is not here')}
        action={
          <Button variant="default" component="a" href={inboxHref()}>
            {t('To the inbox')}
          </Button>
        }
      >
        {t('It was deleted, belongs to another company, or to a number you do not have.')}
      </EmptyState>
    ) : (
      <ErrorState refusal={refusal} again={again} />
    )
  ) : id === null ? (
    <EmptyState icon={<IconMessages size={28} stroke={1.5} />} title={t('Choose a conversation')}>
      {t('Texts, calls and voicemails with one person stand together.')}
    </EmptyState>
  ) : null;

  return (
    <>
      <SplitPanes
        name="inbox"
        showing={id === null ? 'list' : side ? 'side' : 'main'}
        panes={[
          {
            key: 'list',
            label: t('Conversations'),
            width: 336,
            min: 264,
            content: (
              <ConversationList
                inbox={inbox}
                acts={acts}
                openId={id}
                open={open}
                onNew={() => setWriting(true)}
                besideNumber={(numberId, label) => <MuteBell numberId={numberId} label={label} />}
              />
            ),
          },
          {
            key: 'main',
            label: open ? t('Conversation with {name}', { name: nameOf(open) }) : t('Conversation'),
            content: main,
          },
          ...(open
            ? [
                {
                  key: 'side' as const,
                  label: t('About {name}', { name: nameOf(open) }),
                  width: 276,
                  min: 240,
                  max: 400,
                  content: (
                    <PersonPanel
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
      <TeamDialogs acts={acts} />
      <NewConversation opened={writing} onClose={() => setWriting(false)} />
    </>
  );
}
