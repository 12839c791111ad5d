import { memo } from 'react';
import { Checkbox } from '@mantine/core';
import { IconArchive, IconClockPause, IconUsersGroup } from '@tabler/icons-react';
import { Hidden, PersonAvatar, t, Time, useStore } from '#ui';
import { StateBadges } from '../../compliance/index.ts';
import { useHasDraft } from '../composer/drafts.ts';
import { assignedName } from '../action-texts.ts';
import type { Conversation } from '../cache-updates.ts';
import { LatestIcon } from '../KindIcon.tsx';
import { sender } from '../composer/sending.ts';
import { conversationHref } from './use-inbox.ts';
import { formatWhen } from '../scheduling/schedule-times.ts';
import { isUndelivered, numberLabel, conversationName, snippetOf } from '#ui/messaging/labels.ts';
import css from './ConversationRow.module.css';

interface RowProps {
  row: Conversation;
  isOpen: boolean;
  isChosen: boolean;
  choosing: boolean;
  isCursor: boolean;
  showsNumber: boolean;
  showsArchived: boolean;
  onChoose: (row: Conversation, range: boolean) => void;
  onFocus: (id: number) => void;
}

/** One conversation in two lines: name and time, then latest item and unread count. */
export const ConversationRow = memo(function ConversationRow({
  row,
  isOpen,
  isChosen,
  choosing,
  isCursor,
  showsNumber,
  showsArchived,
  onChoose,
  onFocus,
}: RowProps) {
  const name = conversationName(row);
  const unread = row.numUnreadItems;
  return (
    <div
      className={css.row}
      data-open={isOpen || undefined}
      data-unread={unread > 0 || undefined}
      data-chosen={isChosen || undefined}
      data-choosing={choosing || undefined}
    >
      <span className={css.face}>
        <span className={css.avatar}>
          <PersonAvatar name={row.contact?.name ?? null} size={36} />
        </span>
        <Checkbox
          className={css.check}
          size="sm"
          checked={isChosen}
          aria-label={t('Select {name}', { name })}
          tabIndex={isCursor ? 0 : -1}
          onChange={(e) => onChoose(row, (e.nativeEvent as MouseEvent).shiftKey)}
        />
      </span>
      <a
        className={css.link}
        href={conversationHref(row.id)}
        data-id={row.id}
        tabIndex={isCursor ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        onFocus={() => onFocus(row.id)}
      >
        <span className={css.top}>
          <span className={css.name}>{name}</span>
          {showsNumber && <span className={css.ours}>{numberLabel(row.number)}</span>}
          <span className={css.time}>
            <Time at={row.lastActivityAt} />
          </span>
        </span>
        <span className={css.bottom}>
          <RowState row={row} isOpen={isOpen} />
          <span className={css.snippet}>{snippetOf(row.latestItem)}</span>
          <RowBadges row={row} showsArchived={showsArchived} />
        </span>
      </a>
    </div>
  );
});

/** Whether the latest item is an unanswered incoming call or an undelivered message. */
function needsAttention(row: Conversation): boolean {
  const { latestItem } = row;
  if (isUndelivered(latestItem)) return true;
  const isMissedCall = latestItem?.type === 'call' && latestItem.details['outcome'] === 2;
  return isMissedCall && latestItem.isInbound;
}

/** Unsent message, draft, or the icon of the latest item. */
function RowState({ row, isOpen }: { row: Conversation; isOpen: boolean }) {
  const hasDraft = useHasDraft(row.id);
  const hasUnsent = useStore(sender.store, (s) =>
    s.list.some((m) => m.unsent && m.conversationId === row.id),
  );
  if (hasUnsent)
    return (
      <span className={css.draft} data-unsent>
        {t('Not sent')}
      </span>
    );
  if (hasDraft && !isOpen) return <span className={css.draft}>{t('Draft')}</span>;
  if (!row.latestItem) return null;
  return (
    <span className={css.kind} data-missed={needsAttention(row) || undefined}>
      <LatestIcon latest={row.latestItem} />
    </span>
  );
}

/** Snoozed, archived, blocked or opted out, the assignee, and the unread count. */
function RowBadges({ row, showsArchived }: { row: Conversation; showsArchived: boolean }) {
  const unread = row.numUnreadItems;
  const isArchivedOnly = row.isArchived && !row.snoozedUntil;
  return (
    <>
      {row.snoozedUntil && (
        <span className={css.until}>
          <IconClockPause size={13} aria-hidden />
          <Hidden>{t('Snoozed until')} </Hidden>
          {formatWhen(row.snoozedUntil)}
        </span>
      )}
      {showsArchived && isArchivedOnly && (
        <span className={css.kind} title={t('Archived')}>
          <IconArchive size={14} aria-hidden />
          <Hidden>{t('Archived')}</Hidden>
        </span>
      )}
      <StateBadges isBlocked={row.isBlocked} isOptedOut={row.isUnsubscribed} />
      {(row.assignee ?? row.team) && (
        <span className={css.holder} title={t('Assigned to {who}', { who: assignedName(row) })}>
          {row.assignee ? (
            <PersonAvatar name={row.assignee.name} size={20} />
          ) : (
            <IconUsersGroup size={16} aria-hidden />
          )}
          <Hidden>{t('Assigned to {who}', { who: assignedName(row) })}</Hidden>
        </span>
      )}
      {unread > 0 && (
        <span className={css.count}>
          <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
          <Hidden>{t('{n} unread', { n: unread })}</Hidden>
        </span>
      )}
    </>
  );
}
