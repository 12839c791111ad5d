import { useState } from 'react';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconArrowLeft,
  IconBan,
  IconCircleCheck,
  IconClockPause,
  IconDots,
  IconFileText,
  IconLayoutSidebarRight,
  IconMail,
  IconMessageX,
  IconPhone,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import { conversations } from '#contract';
import {
  canCall,
  confirm,
  navigate,
  lazyComponent,
  PersonAvatar,
  t,
  usePermission,
  useApiMutation,
  useUser,
} from '#ui';
import { StateBadges, useBlockCaller } from '../../compliance/index.ts';
import { callParty } from '../contact/call-party.ts';
import type { Conversation } from '../cache-updates.ts';
import { formatWhen } from '../scheduling/schedule-times.ts';
import { openTeamDialog } from '../team/team-dialog.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { inboxHref } from '../list/use-inbox.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { ANONYMOUS, numberLabel, conversationName, partyName } from '../labels.ts';
import css from './ThreadHeader.module.css';

const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);

interface HeaderProps {
  conversation: Conversation;
  acts: ConversationActions;
  narrow: boolean;
  onSide: () => void;
  sideOpen: boolean;
}

/** Who this is about, by which of our numbers, and what one can do. */
export function ThreadHeader({
  conversation,
  acts: actions,
  narrow,
  onSide,
  sideOpen,
}: HeaderProps) {
  const user = useUser();
  const mayCall =
    usePermission('calling.use') && canCall(user) && conversation.recipient !== ANONYMOUS;
  const blocking = useBlockCaller(conversation.recipient);
  const { mutate: deleteMessages } = useApiMutation(conversations.deleteMessages, {
    success: t('Messages deleted'),
    invalidates: [conversations.listConversationItems, conversations.listConversations],
  });
  const name = conversationName(conversation);
  const [faxing, setFaxing] = useState(false);
  const canFax = useOurNumbers().some((n) => n.canFax);
  const mayFax =
    usePermission('inbox.send') &&
    canFax &&
    conversation.recipient !== ANONYMOUS &&
    !conversation.isBlocked;
  const put = (): void => {
    if (conversation.isArchived) actions.restore([conversation]);
    else {
      actions.archive([conversation]);
      navigate(inboxHref());
    }
  };
  return (
    <header className={css.head}>
      {/* Where the list is not beside it, the conversation is the page. */}
      {narrow && <h1 className={css.hidden}>{t('Conversation with {name}', { name })}</h1>}
      {narrow && (
        <ActionIcon aria-label={t('Back to list')} component="a" href={inboxHref()}>
          <IconArrowLeft size={20} />
        </ActionIcon>
      )}
      <button
        type="button"
        className={css.who}
        onClick={onSide}
        aria-label={t('About {name}', { name })}
        aria-expanded={sideOpen}
      >
        <PersonAvatar name={conversation.contact?.name ?? null} size={32} />
        <span className={css.words}>
          <span className={css.name}>
            <span className={css.clip}>{name}</span>
            <StateBadges
              isBlocked={conversation.isBlocked}
              isOptedOut={conversation.isUnsubscribed}
            />
          </span>
          <span className={css.sub}>
            {conversation.contact?.name ? `${partyName(conversation.recipient)} · ` : ''}
            {t('with {number}', { number: numberLabel(conversation.number) })}
          </span>
        </span>
      </button>
      <span className={css.acts}>
        {(!narrow || conversation.assignee) && (
          <Tooltip
            label={
              conversation.assignee
                ? t('Assigned to {who}. Reassign', { who: conversation.assignee.name })
                : t('Assign')
            }
          >
            <button
              type="button"
              className={css.holder}
              data-nobody={!conversation.assignee || undefined}
              aria-label={
                conversation.assignee
                  ? t('Assigned to {who}. Reassign', { who: conversation.assignee.name })
                  : t('Assign')
              }
              onClick={() => openTeamDialog('assign', [conversation])}
            >
              {conversation.assignee ? (
                <>
                  <PersonAvatar name={conversation.assignee.name} size={22} />
                  <span className={css.holderName}>{conversation.assignee.name.split(' ')[0]}</span>
                </>
              ) : (
                <IconUserPlus size={18} stroke={1.75} aria-hidden />
              )}
            </button>
          </Tooltip>
        )}
        {mayCall && (
          <HeaderAction
            label={t('Call {name}', { name })}
            onClick={() => void callParty(conversation.number.id, conversation.recipient)}
          >
            <IconPhone size={18} stroke={1.75} />
          </HeaderAction>
        )}
        <HeaderAction
          label={conversation.isArchived ? t('Back to inbox') : t('Archive')}
          onClick={put}
        >
          {conversation.isArchived ? (
            <IconArchiveOff size={18} stroke={1.75} />
          ) : (
            <IconArchive size={18} stroke={1.75} />
          )}
        </HeaderAction>
        {!narrow && (
          <HeaderAction
            label={
              conversation.snoozedUntil
                ? t('Snoozed until {when}', { when: formatWhen(conversation.snoozedUntil) })
                : t('Snooze')
            }
            onClick={() =>
              openTeamDialog('snooze', [conversation], () => {
                if (!conversation.snoozedUntil) navigate(inboxHref());
              })
            }
          >
            <IconClockPause size={18} stroke={1.75} />
          </HeaderAction>
        )}
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={t('More')}>
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {narrow && (
              <Menu.Item
                leftSection={<IconUserPlus size={16} aria-hidden />}
                onClick={() => openTeamDialog('assign', [conversation])}
              >
                {t('Assign')}
              </Menu.Item>
            )}
            {narrow && (
              <Menu.Item
                leftSection={<IconClockPause size={16} aria-hidden />}
                onClick={() =>
                  openTeamDialog('snooze', [conversation], () => {
                    if (!conversation.snoozedUntil) navigate(inboxHref());
                  })
                }
              >
                {t('Snooze')}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconMail size={16} aria-hidden />}
              onClick={() => {
                navigate(inboxHref());
                void actions.unread([conversation]);
              }}
            >
              {t('Mark unread')}
            </Menu.Item>
            {mayFax && (
              <Menu.Item
                leftSection={<IconFileText size={16} aria-hidden />}
                onClick={() => setFaxing(true)}
              >
                {t('Send a fax')}
              </Menu.Item>
            )}
            {blocking.may &&
              (conversation.isBlocked ? (
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
              ))}
            {actions.mayDelete && (
              <>
                <Menu.Divider />
                <Menu.Item
                  color="red"
                  leftSection={<IconMessageX size={16} aria-hidden />}
                  onClick={async () => {
                    if (
                      await confirm({
                        title: t('Delete all messages with {name}?', { name }),
                        body: t('Calls, voicemails, faxes and notes stay. This can’t be undone.'),
                        confirmLabel: t('Delete messages'),
                        danger: true,
                      })
                    )
                      void deleteMessages({ params: { id: conversation.id } });
                  }}
                >
                  {t('Delete messages')}
                </Menu.Item>
                <Menu.Item
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={async () => {
                    if (await actions.remove([conversation])) navigate(inboxHref());
                  }}
                >
                  {t('Delete conversation')}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
        <span className={css.side}>
          <HeaderAction label={t('Details')} onClick={onSide}>
            <IconLayoutSidebarRight size={18} stroke={1.75} />
          </HeaderAction>
        </span>
      </span>
      {faxing && (
        <SendFax
          to={{
            number: conversation.recipient,
            name: conversation.contact?.name || null,
            ours: conversation.number.id,
          }}
          onClose={() => setFaxing(false)}
        />
      )}
    </header>
  );
}
const HeaderAction = ({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);
