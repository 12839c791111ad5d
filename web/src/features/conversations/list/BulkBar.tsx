import { ActionIcon, Button, CloseButton, Tooltip } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconClockPause,
  IconMail,
  IconMailOpened,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import { t } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import css from './BulkBar.module.css';

interface BulkProps {
  selected: readonly Conversation[];
  mayDelete: boolean;
  allShown: boolean;
  onAll: () => void;
  onNone: () => void;
  onArchive: () => void;
  onAssign: () => void;
  onSnooze: () => void;
  onRead: () => void;
  onUnread: () => void;
  onDelete: () => void;
}

/** Actions on the selected conversations. */
export function BulkBar({
  selected: chosen,
  mayDelete,
  allShown,
  onAll,
  onNone,
  onArchive,
  onAssign,
  onSnooze,
  onRead,
  onUnread,
  onDelete,
}: BulkProps) {
  const archived = chosen.every((c) => c.isArchived);
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected conversations')}>
      <CloseButton size={28} aria-label={t('Clear selection')} onClick={onNone} />
      <span className={css.count} role="status">
        {t('{n} selected', { n: chosen.length })}
      </span>
      {!allShown && (
        <Button variant="subtle" size="compact-xs" flex="none" px={4} onClick={onAll}>
          {t('Select all')}
        </Button>
      )}
      <span className={css.acts}>
        <BulkAction label={archived ? t('Back to inbox') : t('Archive')} onClick={onArchive}>
          {archived ? (
            <IconArchiveOff size={18} stroke={1.75} />
          ) : (
            <IconArchive size={18} stroke={1.75} />
          )}
        </BulkAction>
        <BulkAction label={t('Assign')} onClick={onAssign}>
          <IconUserPlus size={18} stroke={1.75} />
        </BulkAction>
        <BulkAction label={t('Snooze')} onClick={onSnooze}>
          <IconClockPause size={18} stroke={1.75} />
        </BulkAction>
        <BulkAction label={t('Mark read')} onClick={onRead}>
          <IconMailOpened size={18} stroke={1.75} />
        </BulkAction>
        <BulkAction label={t('Mark unread')} onClick={onUnread}>
          <IconMail size={18} stroke={1.75} />
        </BulkAction>
        {mayDelete && (
          <BulkAction label={t('Delete')} onClick={onDelete}>
            <IconTrash size={18} stroke={1.75} />
          </BulkAction>
        )}
      </span>
    </div>
  );
}
const BulkAction = ({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}) => (
  <Tooltip label={label}>
    <ActionIcon size={28} aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);
