import { useEffect, useMemo, useRef, useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { conversations } from '#contract';
import { EmptyState, ErrorState, t, useApiInfiniteQuery, userZone, useUser } from '#ui';
import type { Conversation, Item } from '../cache-updates.ts';
import { draftKey } from '../composer/drafts.ts';
import { clientKeysOf, useOutgoing, appendOutgoing } from '../composer/sender.ts';
import { firstUnreadId, toThreadRows } from './thread-rows.ts';
import { sender } from '../composer/sending.ts';
import { ThreadItem } from './ThreadItem.tsx';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { useThreadWindow } from './use-thread-window.ts';
import { conversationName } from '../labels.ts';
import css from './Thread.module.css';

/**
 * The items of a conversation, oldest first; viewing marks it read. `target`: the id of an item to
 * scroll to. Pass the conversation's id as `key`.
 */
export function Thread({
  conversation,
  acts: actions,
  target,
}: {
  conversation: Conversation;
  acts: ConversationActions;
  target: number | null;
}) {
  const { id } = conversation;
  const user = useUser();
  const list = useApiInfiniteQuery(
    conversations.listConversationItems,
    { params: { id }, query: { perPage: 50 } },
    { staleTime: 600_000, silent: true },
  );
  const everybodys = useOutgoing(sender);
  // Another user who signs in on this device sees only their own.
  const outgoing = useMemo(
    () => everybodys.filter((m) => m.place === draftKey(id)),
    [everybodys, id, user],
  );
  const items = list.rows as Item[];
  // Set when the thread opens, so that marking it read doesn't remove the marker.
  const [marker, setMarker] = useState<number | null | undefined>(undefined);
  if (marker === undefined && items.length > 0) setMarker(firstUnreadId(items));
  useEffect(() => sender.known(clientKeysOf(items)), [items]);
  const zone = userZone();
  const rows = useMemo(() => {
    const actor = user ? { userId: user.id, name: user.name } : null;
    const all = appendOutgoing(
      items.toReversed(),
      outgoing,
      id,
      conversation.number,
      actor,
    ).toReversed();
    return toThreadRows(all, zone, marker ?? null);
  }, [items, outgoing, id, conversation.number, user, zone, marker]);
  const startAt = marker ? (rows.find((r) => r.startsUnread)?.key ?? null) : null;
  const view = useThreadWindow(rows, { hasMore: list.hasMore, more: list.more }, startAt);

  useMarkRead(conversation, actions, view.atBottom);
  // A target older than the loaded items: fetch older pages until it is found.
  const found = useRef<number | null>(null);
  const show = useRef(view.show);
  show.current = view.show;
  const place = target === null ? undefined : rows.find((r) => r.item.id === target)?.key;
  useEffect(() => {
    if (target === null || found.current === target) return;
    if (place) {
      // Delayed, because the router restores scroll positions right after a navigation.
      const timer = setTimeout(() => {
        found.current = target;
        show.current(place);
      }, 60);
      return () => clearTimeout(timer);
    }
    if (list.hasMore && !list.loadingMore) list.more();
    return undefined;
  }, [target, place, list.hasMore, list.loadingMore, list.more]);
  // Sending scrolls to the bottom; incoming messages are counted while the user has scrolled up.
  const mine = outgoing.length;
  const { toBottom } = view;
  useEffect(() => {
    if (mine > 0) toBottom();
  }, [mine, toBottom]);
  const newest = rows.at(-1)?.item.id;
  const [arrived, setArrived] = useState(0);
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (
      before.current !== undefined &&
      newest !== before.current &&
      rows.at(-1)?.item.isInbound &&
      !view.atBottom
    )
      setArrived((n) => n + 1);
    before.current = newest;
    // Only when the newest changes.
  }, [newest]); // eslint-disable-line
  useEffect(() => {
    if (view.atBottom) setArrived(0);
  }, [view.atBottom]);

  if (list.error && items.length === 0)
    return (
      <div className={css.whole}>
        <ErrorState error={list.error} retry={list.refetch} />
      </div>
    );
  return (
    <div className={css.whole}>
      <div
        ref={view.scroller}
        className={css.scroller}
        onScroll={view.look}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('Conversation with {name}', { name: conversationName(conversation) })}
        aria-busy={list.loading || undefined}
      >
        <div ref={view.content} className={css.content}>
          {list.loadingMore && (
            <div className={css.older} role="status">
              <Loader size={16} color="gray" /> {t('Loading earlier messages')}
            </div>
          )}
          {!list.hasMore && !list.loading && items.length > 0 && view.shown[0] === rows[0] && (
            <p className={css.begin}>{t('This is the start of the conversation.')}</p>
          )}
          {list.loading && items.length === 0 && (
            <div className={css.older}>
              <Loader size={18} color="gray" aria-label={t('Loading')} />
            </div>
          )}
          {!list.loading && rows.length === 0 && (
            <EmptyState title={t('Nothing here yet')}>
              {t('Write the first message below.')}
            </EmptyState>
          )}
          {view.shown.map((row) => (
            <ThreadItem
              key={row.key}
              row={row}
              conversation={conversation}
              mayDelete={actions.mayDelete}
              refetch={list.refetch}
              highlighted={row.item.id === target}
            />
          ))}
        </div>
      </div>
      {!view.atBottom && (
        <Button
          className={css.jump}
          size="compact-md"
          variant="default"
          radius="xl"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={toBottom}
        >
          {arrived > 0
            ? t('{n, plural, one {# new message} other {# new messages}}', { n: arrived })
            : t('Latest')}
        </Button>
      )}
    </div>
  );
}

/**
 * Marks the conversation read when it is opened, and later whenever the page is visible and the
 * thread is at its end.
 */
function useMarkRead(
  conversation: Conversation,
  actions: ConversationActions,
  atBottom: boolean,
): void {
  const latest = useRef({ conversation, acts: actions });
  latest.current = { conversation, acts: actions };
  const busy = useRef(false);
  // Opening shows unread items; items that arrive while the user has scrolled up aren't seen yet.
  const opened = useRef(false);
  const unread = conversation.numUnreadItems;
  useEffect(() => {
    if (unread === 0) {
      opened.current = true;
      return;
    }
    if (opened.current && !atBottom) return;
    const read = (): void => {
      if (document.visibilityState !== 'visible' || busy.current) return;
      busy.current = opened.current = true;
      void latest.current.acts.read([latest.current.conversation]).finally(() => {
        busy.current = false;
      });
    };
    // Delayed, so that passing through with the keyboard marks nothing as read.
    const timer = setTimeout(read, 600);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [unread, atBottom]);
}
