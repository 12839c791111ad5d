import { memo } from 'react';
import { IconBan, IconCircleCheck, IconClockX, IconTargetArrow } from '@tabler/icons-react';
import { formatRelativeDay, formatTime, lazyPart, t, useNow } from '#ui';
import { CallCard, VoicemailCard } from './EventCard.tsx';
import { FaxCard } from './fax/FaxCard.tsx';
import type { Conversation, Item } from './fold.ts';
import { ItemMenu } from './ItemMenu.tsx';
import { MessageBubble } from './MessageBubble.tsx';
import { NoteCard } from './NoteCard.tsx';
import type { ThreadRow } from './rows.ts';
import { ScheduledCard } from './ScheduledCard.tsx';
import { spokenItem, nameOf } from './words.ts';
import css from './ThreadLine.module.css';

const ScheduledOutcome = lazyPart(
  async () => (await import('./ScheduledOutcome.tsx')).ScheduledOutcome,
);

interface LineProps {
  row: ThreadRow;
  conversation: Conversation;
  mayDelete: boolean;
  again: () => void;
  /** One was sent here to see this. */ lit: boolean;
}

/** One row of the thread: separators above it, then the item in the form of its kind. */
export const ThreadLine = memo(function ThreadLine({
  row,
  conversation,
  mayDelete,
  again,
  lit,
}: LineProps) {
  const { item } = row;
  const side =
    item.kind === 'note' ? 'note' : isSystem(item) ? 'system' : item.isInbound ? 'in' : 'out';
  return (
    <div data-row={row.key} data-kind={item.kind} data-lit={lit || undefined} className={css.line}>
      {row.newDay && <Day at={item.createdAt} />}
      {row.newHere && (
        <div className={css.unread} role="separator">
          <span>{t('New')}</span>
        </div>
      )}
      <article
        className={css.item}
        data-side={side}
        data-first={row.first || undefined}
        aria-label={spokenItem(item, nameOf(conversation))}
      >
        <Shape row={row} again={again} />
        {item.id > 0 && !isSystem(item) && (
          <ItemMenu item={item} conversation={conversation} mayDelete={mayDelete} />
        )}
      </article>
    </div>
  );
});

const isSystem = (item: Item): boolean =>
  item.kind === 'block' ||
  item.kind === 'trackingmatch' ||
  (item.kind === 'scheduledmessage' && item.details.state !== 'pending');

function Shape({ row, again }: { row: ThreadRow; again: () => void }) {
  const { item } = row;
  switch (item.kind) {
    case 'message':
      return <MessageBubble item={item} last={row.last} first={row.first} again={again} />;
    case 'call':
      return <CallCard item={item} again={again} />;
    case 'voicemail':
      return <VoicemailCard item={item} again={again} />;
    case 'fax':
      return <FaxCard item={item} again={again} />;
    case 'note':
      return <NoteCard item={item} />;
    case 'scheduledmessage':
      return item.details.state === 'pending' ? (
        <ScheduledCard item={item} />
      ) : (
        <System at={item.createdAt} icon={<IconClockX size={14} aria-hidden />}>
          <ScheduledOutcome details={item.details} />
        </System>
      );
    case 'block':
      return (
        <System
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
        </System>
      );
    case 'trackingmatch':
      return (
        <System at={item.createdAt} icon={<IconTargetArrow size={14} aria-hidden />}>
          {[
            t('Came from {source}', { source: item.details.source }),
            item.details.medium,
            item.details.campaign,
          ]
            .filter(Boolean)
            .join(' · ')}
        </System>
      );
  }
}
const System = ({
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

function Day({ at }: { at: string }) {
  const now = useNow(60_000);
  return (
    <div className={css.day} role="separator">
      <span>{formatRelativeDay(at, now)}</span>
    </div>
  );
}
