import { memo } from 'react';
import { shallowEqual } from '@mantine/hooks';
import { IconBan, IconCircleCheck, IconClockX } from '@tabler/icons-react';
import { formatRelativeDay, formatTime, lazyComponent, t, useNow } from '#ui';
import { CallCard, VoicemailCard } from './EventCard.tsx';
import type { Conversation, Item } from '../cache-updates.ts';
import { ItemMenu } from './ItemMenu.tsx';
import { MessageBubble } from './MessageBubble.tsx';
import type { ThreadRow } from './thread-rows.ts';
import { itemAriaLabel, conversationName } from '#ui/messaging/labels.ts';
import css from './ThreadItem.module.css';

const ScheduledOutcome = lazyComponent(
  async () => (await import('./ScheduledOutcome.tsx')).ScheduledOutcome,
);

const ScheduledCard = lazyComponent(
  async () => (await import('./ScheduledCard.tsx')).ScheduledCard,
);
const NoteCard = lazyComponent(async () => (await import('../notes/NoteCard.tsx')).NoteCard);
const FaxCard = lazyComponent(async () => (await import('../fax/FaxCard.tsx')).FaxCard);
const FormCard = lazyComponent(async () => (await import('./FormCard.tsx')).FormCard);
const TextMatch = lazyComponent(async () => (await import('./TextMatch.tsx')).TextMatch);

interface ThreadItemProps {
  row: ThreadRow;
  conversation: Conversation;
  mayDelete: boolean;
  refetch: () => void;
  /** The user followed a link to this item. */ highlighted: boolean;
}

/** One row of the thread: its separators, then the item. */
function ThreadLine({ row, conversation, mayDelete, refetch, highlighted: lit }: ThreadItemProps) {
  const { item } = row;
  const side =
    item.kind === 'note' ? 'note' : isSystem(item) ? 'system' : item.isInbound ? 'in' : 'out';
  return (
    <div data-row={row.key} data-kind={item.kind} data-lit={lit || undefined} className={css.line}>
      {row.startsDay && <DayDivider at={item.createdAt} />}
      {row.startsUnread && (
        <div className={css.unread} role="separator">
          <span>{t('New')}</span>
        </div>
      )}
      <article
        className={css.item}
        data-side={side}
        data-first={row.firstOfGroup || undefined}
        aria-label={itemAriaLabel(item, conversationName(conversation))}
      >
        <ItemBody row={row} again={refetch} />
        {item.id > 0 && !isSystem(item) && (
          <ItemMenu item={item} conversation={conversation} mayDelete={mayDelete} />
        )}
      </article>
    </div>
  );
}
/**
 * Each text that comes in changes the conversation and makes all rows again, but only its own is drawn.
 * Of the conversation, a row shows the name.
 */
export const ThreadItem = memo(
  ThreadLine,
  ({ row, conversation, ...props }, { row: nextRow, conversation: next, ...nextProps }) =>
    shallowEqual(row, nextRow) &&
    shallowEqual(props, nextProps) &&
    conversation.id === next.id &&
    conversationName(conversation) === conversationName(next),
);

const isSystem = (item: Item): boolean =>
  item.kind === 'block' ||
  item.kind === 'trackingmatch' ||
  (item.kind === 'scheduledmessage' && item.details.state !== 'pending');

function ItemBody({ row, again: refetch }: { row: ThreadRow; again: () => void }) {
  const { item } = row;
  switch (item.kind) {
    case 'message':
      return (
        <MessageBubble
          item={item}
          last={row.lastOfGroup}
          first={row.firstOfGroup}
          again={refetch}
        />
      );
    case 'call':
      return <CallCard item={item} again={refetch} />;
    case 'voicemail':
      return <VoicemailCard item={item} again={refetch} />;
    case 'fax':
      return <FaxCard item={item} again={refetch} />;
    case 'note':
      return <NoteCard item={item} />;
    case 'scheduledmessage':
      return item.details.state === 'pending' ? (
        <ScheduledCard item={item} />
      ) : (
        <SystemItem at={item.createdAt} icon={<IconClockX size={14} aria-hidden />}>
          <ScheduledOutcome details={item.details} />
        </SystemItem>
      );
    case 'block':
      return (
        <SystemItem
          at={item.createdAt}
          icon={
            item.details.action === 1 ? (
              <IconBan size={14} aria-hidden />
            ) : (
              <IconCircleCheck size={14} aria-hidden />
            )
          }
        >
          {item.details.action === 1
            ? t('Blocked by {name}', { name: item.details.actor })
            : t('Unblocked by {name}', { name: item.details.actor })}
        </SystemItem>
      );
    case 'form':
      return <FormCard item={item} />;
    case 'trackingmatch':
      return <TextMatch item={item} />;
  }
}
const SystemItem = ({
  icon,
  at,
  children,
}: {
  icon: React.ReactNode;
  at: string;
  children: React.ReactNode;
}) => (
  <p className={css.system}>
    {icon}
    <span>{children}</span>
    <time dateTime={at}>{formatTime(at)}</time>
  </p>
);

function DayDivider({ at }: { at: string }) {
  const now = useNow(60_000);
  return (
    <div className={css.day} role="separator">
      <span>{formatRelativeDay(at, now)}</span>
    </div>
  );
}
