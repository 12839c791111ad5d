import { memo } from 'react';
import { Checkbox } from '@mantine/core';
import { IconArchive, IconClockPause } from '@tabler/icons-react';
import { Hidden, PersonAvatar, t, Time, useStore } from '#ui';
import { StateBadges } from '../../compliance/index.ts';
import { useHasDraft } from '../composer/drafts.ts';
import type { Conversation } from '../cache-updates.ts';
import { LatestIcon } from '../KindIcon.tsx';
import { sender } from '../composer/sending.ts';
import { conversationHref } from './use-inbox.ts';
import { formatWhen } from '../scheduling/schedule-times.ts';
import { isUndelivered, numberLabel, conversationName, snippetOf } from '../labels.ts';
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
  const hasDraft = useHasDraft(row.id);
  const hasUnsent = useStore(sender.store, (s) =>
    s.list.some((m) => m.unsent && m.conversationId === row.id),
  );
  const missed =
    isUndelivered(row.latestItem) ||
    (row.latestItem?.type === 'call' &&
      row.latestItem.isInbound &&
      row.latestItem.details['outcome'] === 2);
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
          {hasUnsent ? (
            <span className={css.draft} data-unsent>
              {t('Not sent')}
            </span>
          ) : hasDraft && !isOpen ? (
            <span className={css.draft}>{t('Draft')}</span>
          ) : (
            row.latestItem && (
              <span className={css.kind} data-missed={missed || undefined}>
                <LatestIcon latest={row.latestItem} />
              </span>
            )
          )}
          <span className={css.snippet}>{snippetOf(row.latestItem)}</span>
          {row.snoozedUntil && (
            <span className={css.until}>
              <IconClockPause size={13} aria-hidden />
              <Hidden>{t('Snoozed until')} </Hidden>
              {formatWhen(row.snoozedUntil)}
            </span>
          )}
          {showsArchived && row.isArchived && !row.snoozedUntil && (
            <span className={css.kind} title={t('Archived')}>
              <IconArchive size={14} aria-hidden />
              <Hidden>{t('Archived')}</Hidden>
            </span>
          )}
          <StateBadges isBlocked={row.isBlocked} isOptedOut={row.isUnsubscribed} />
          {row.assignee && (
            <span className={css.holder} title={t('Assigned to {who}', { who: row.assignee.name })}>
              <PersonAvatar name={row.assignee.name} size={20} />
              <Hidden>{t('Assigned to {who}', { who: row.assignee.name })}</Hidden>
            </span>
          )}
          {unread > 0 && (
            <span className={css.count}>
              <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
              <Hidden>{t('{n} unread', { n: unread })}</Hidden>
            </span>
          )}
        </span>
      </a>
    </div>
  );
});
