import { useEffect } from 'react';
import { Button } from '@mantine/core';
import { conversations } from '#contract';
import { ErrorState, formatRelativeDay, formatSpan, formatTime, t, useApiInfiniteQuery } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { Attachments } from '#ui/messaging/Attachments.tsx';
import { callLabel, deliveryLabel } from '#ui/messaging/labels.ts';
import { linkify } from '#ui/messaging/linkify.tsx';
import { appendOutgoing, clientKeysOf, useOutgoing } from '#ui/messaging/sender.ts';
import type { Conversation, Item, ItemOf } from '#ui/messaging/types.ts';
import { sender } from './outbox.ts';
import css from './Thread.module.css';

/** Texts, calls and voicemails, oldest first, with what is on its way at the end. */
export function ThreadItems({ conversation: { id, number } }: { conversation: Conversation }) {
  const list = useApiInfiniteQuery(
    conversations.listConversationItems,
    { params: { id } },
    { silent: true },
  );
  const stored = list.rows.toReversed();
  const known = clientKeysOf(stored);
  useEffect(() => sender.known(known));
  const items = appendOutgoing(stored, useOutgoing(sender), id, number, null);
  return (
    // Its one child keeps the newest item in view while the list grows.
    <div className={css.scroll} role="log" aria-label={t('Messages')} tabIndex={0}>
      <div className={css.items}>
        {list.error && stored.length === 0 && (
          <ErrorState error={list.error} retry={list.refetch} />
        )}
        {list.hasMore && (
          <Button variant="subtle" onClick={list.more} loading={list.loadingMore}>
            {t('Show earlier messages')}
          </Button>
        )}
        {items.map((item, i) => (
          <Entry key={keyOf(item)} item={item} before={items[i - 1]} again={list.refetch} />
        ))}
      </div>
    </div>
  );
}

/** The same before and after the server has stored it. */
const keyOf = (item: Item): string | number =>
  (item.kind === 'message' && item.details.clientKey) || item.id;

function Entry({
  item,
  before,
  again,
}: {
  item: Item;
  before: Item | undefined;
  again: () => void;
}) {
  const day = formatRelativeDay(item.createdAt);
  const isNewDay = !before || formatRelativeDay(before.createdAt) !== day;
  return (
    <>
      {isNewDay && <p className={css.day}>{day}</p>}
      {item.kind === 'message' ? (
        <Bubble item={item} again={again} />
      ) : item.kind === 'call' ? (
        <p className={css.event}>
          {callLabel(item.isInbound, item.details)} · {formatTime(item.createdAt)}
          {item.details.outcome === 1 && ` · ${formatSpan(item.details.duration)}`}
        </p>
      ) : item.kind === 'voicemail' ? (
        <Voicemail item={item} again={again} />
      ) : item.kind === 'block' ? (
        <p className={css.event}>{item.details.action === 0 ? t('Unblocked') : t('Blocked')}</p>
      ) : null}
    </>
  );
}

function Voicemail({ item, again }: { item: ItemOf<'voicemail'>; again: () => void }) {
  const { url, duration, transcription } = item.details;
  return (
    <div className={css.voicemail}>
      <strong>{t('Voicemail')}</strong>
      {url && <AudioClip url={url} seconds={duration} label={t('Voicemail')} onBroken={again} />}
      {transcription && <p className={css.words}>{transcription}</p>}
      <p className={css.meta}>{formatTime(item.createdAt)}</p>
    </div>
  );
}

function Bubble({ item, again }: { item: ItemOf<'message'>; again: () => void }) {
  const { details, isInbound, createdAt } = item;
  const { label, problem } = deliveryLabel(details);
  const isWaiting = item.id < 0 && details.deliveryState === 'failed';
  return (
    <div className={css.message} data-in={isInbound || undefined}>
      {details.media.length > 0 && <Attachments media={details.media} again={again} />}
      {details.content && <div className={css.bubble}>{linkify(details.content)}</div>}
      {isWaiting ? (
        <Unsent clientKey={details.clientKey ?? ''} />
      ) : (
        <p className={css.meta} data-problem={problem !== null || undefined}>
          {[formatTime(createdAt), !isInbound && (problem ?? label)].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  );
}

/** A text that waits for the network, with what can be done about it. */
const Unsent = ({ clientKey }: { clientKey: string }) => (
  <div className={css.unsent} role="status">
    {t('Not sent yet. It goes when you’re online.')}
    <Button size="compact-sm" variant="default" onClick={() => void sender.retry(clientKey)}>
      {t('Send now')}
    </Button>
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      onClick={() => sender.takeBack(clientKey)}
    >
      {t('Edit')}
    </Button>
  </div>
);
