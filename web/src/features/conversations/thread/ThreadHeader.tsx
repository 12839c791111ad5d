import { isNumber } from '#contract/party';
import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconArrowLeft,
  IconClockPause,
  IconLayoutSidebarRight,
  IconPhone,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { canCall, navigate, PersonAvatar, t, usePermission, useUser } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import { StateBadges } from '../../compliance/index.ts';
import { assignedName } from '../action-texts.ts';
import type { Conversation } from '../cache-updates.ts';
import { callParty } from '../contact/call-party.ts';
import { conversationName, numberLabel, partyName } from '#ui/messaging/labels.ts';
import { inboxHref } from '../list/use-inbox.ts';
import { formatWhen } from '../scheduling/schedule-times.ts';
import { openTeamDialog } from '../team/team-dialog.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { openSnooze } from './open-snooze.ts';
import { ThreadMenu } from './ThreadMenu.tsx';
import css from './ThreadHeader.module.css';

interface HeaderProps {
  conversation: Conversation;
  acts: ConversationActions;
  narrow: boolean;
  onSide: () => void;
  sideOpen: boolean;
}

/** The contact, the company's number, and the actions on the conversation. */
export function ThreadHeader({
  conversation,
  acts: actions,
  narrow,
  onSide,
  sideOpen,
}: HeaderProps) {
  const user = useUser();
  const { recipient, isArchived, number } = conversation;
  const showsCall = usePermission('calling.use') && canCall(user) && isNumber(recipient);
  const name = conversationName(conversation);
  const toggleArchived = (): void => {
    if (isArchived) return actions.restore([conversation]);
    actions.archive([conversation]);
    navigate(inboxHref());
  };
  const ArchiveIcon = isArchived ? IconArchiveOff : IconArchive;
  return (
    <header className={css.head}>
      {/* On a narrow screen the conversation is the page. */}
      {narrow && <h1 className={css.hidden}>{t('Conversation with {name}', { name })}</h1>}
      {narrow && (
        <ActionIcon aria-label={t('Back to list')} component="a" href={inboxHref()}>
          <IconArrowLeft size={20} />
        </ActionIcon>
      )}
      <PartyButton conversation={conversation} onClick={onSide} expanded={sideOpen} />
      <span className={css.acts}>
        {(!narrow || assignedName(conversation)) && <AssigneeButton conversation={conversation} />}
        {showsCall && (
          <HeaderAction
            label={t('Call {name}', { name })}
            onClick={() =>
              void callParty(
                number.id,
                recipient,
                partyFor(recipient, `conversation:${conversation.id}`),
              )
            }
          >
            <IconPhone size={18} stroke={1.75} />
          </HeaderAction>
        )}
        <HeaderAction
          label={isArchived ? t('Back to inbox') : t('Archive')}
          onClick={toggleArchived}
        >
          <ArchiveIcon size={18} stroke={1.75} />
        </HeaderAction>
        {!narrow && <SnoozeButton conversation={conversation} />}
        <ThreadMenu conversation={conversation} acts={actions} narrow={narrow} />
        <span className={css.side}>
          <HeaderAction label={t('Details')} onClick={onSide}>
            <IconLayoutSidebarRight size={18} stroke={1.75} />
          </HeaderAction>
        </span>
      </span>
    </header>
  );
}

/** Name and number; opens the contact panel. */
function PartyButton({
  conversation,
  onClick,
  expanded,
}: {
  conversation: Conversation;
  onClick: () => void;
  expanded: boolean;
}) {
  const name = conversationName(conversation);
  return (
    <button
      type="button"
      className={css.who}
      onClick={onClick}
      aria-label={t('About {name}', { name })}
      aria-expanded={expanded}
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
  );
}

function AssigneeButton({ conversation }: { conversation: Conversation }) {
  const { assignee, team } = conversation;
  const label =
    (assignee ?? team)
      ? t('Assigned to {who}. Reassign', { who: assignedName(conversation) })
      : t('Assign');
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={css.holder}
        data-nobody={!(assignee ?? team) || undefined}
        aria-label={label}
        onClick={() => openTeamDialog('assign', [conversation])}
      >
        {assignee ? (
          <>
            <PersonAvatar name={assignee.name} size={22} />
            <span className={css.holderName}>{assignee.name.split(' ')[0]}</span>
          </>
        ) : team ? (
          <>
            <IconUsersGroup size={18} stroke={1.75} aria-hidden />
            <span className={css.holderName}>{team.name}</span>
          </>
        ) : (
          <IconUserPlus size={18} stroke={1.75} aria-hidden />
        )}
      </button>
    </Tooltip>
  );
}

function SnoozeButton({ conversation }: { conversation: Conversation }) {
  const { snoozedUntil } = conversation;
  const label = snoozedUntil
    ? t('Snoozed until {when}', { when: formatWhen(snoozedUntil) })
    : t('Snooze');
  return (
    <HeaderAction label={label} onClick={() => openSnooze(conversation)}>
      <IconClockPause size={18} stroke={1.75} />
    </HeaderAction>
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
