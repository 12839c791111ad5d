import { useEffect, useRef, useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { EmptyState, ErrorState, t } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { ThreadItem } from './ThreadItem.tsx';
import type { ConversationActions } from '../use-conversation-actions.ts';
import type { ThreadRow } from './thread-rows.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useThreadRows, type ThreadRows } from './use-thread-rows.ts';
import { useThreadWindow } from './use-thread-window.ts';
import { conversationName } from '#ui/messaging/labels.ts';
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
  const thread = useThreadRows(conversation);
  const { list, items, rows, startAt, numSending } = thread;
  const view = useThreadWindow(rows, { hasMore: list.hasMore, more: list.more }, startAt);
  const { toBottom } = view;
  useMarkRead(conversation, actions, view.atBottom);
  useScrollToTarget(target, thread, view.scrollTo);
  useEffect(() => {
    if (numSending > 0) toBottom();
  }, [numSending, toBottom]);
  const arrived = useArrivedCount(rows, view.atBottom);

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
        onScroll={view.onScroll}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('Conversation with {name}', { name: conversationName(conversation) })}
        aria-busy={list.loading || undefined}
      >
        <div ref={view.content} className={css.content}>
          <AboveRows thread={thread} firstShown={view.shown[0]} />
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
      {!view.atBottom && <JumpToLatest arrived={arrived} onJump={toBottom} />}
    </div>
  );
}

/** What stands above the rows: that items are loading, where they start, or that there are none. */
function AboveRows({
  thread: { list, items, rows },
  firstShown,
}: {
  thread: ThreadRows;
  firstShown: ThreadRow | undefined;
}) {
  const hasItems = items.length > 0;
  return (
    <>
      {list.loadingMore && (
        <div className={css.older} role="status">
          <Loader size={16} color="gray" /> {t('Loading earlier messages')}
        </div>
      )}
      {!list.hasMore && !list.loading && hasItems && firstShown === rows[0] && (
        <p className={css.begin}>{t('This is the start of the conversation.')}</p>
      )}
      {list.loading && !hasItems && (
        <div className={css.older}>
          <Loader size={18} color="gray" aria-label={t('Loading')} />
        </div>
      )}
      {!list.loading && rows.length === 0 && (
        <EmptyState title={t('Nothing here yet')}>{t('Write the first message below.')}</EmptyState>
      )}
    </>
  );
}

function JumpToLatest({ arrived, onJump }: { arrived: number; onJump: () => void }) {
  return (
    <Button
      className={css.jump}
      size="compact-md"
      variant="default"
      radius="xl"
      leftSection={<IconArrowDown size={16} aria-hidden />}
      onClick={onJump}
    >
      {arrived > 0
        ? t('{n, plural, one {# new message} other {# new messages}}', { n: arrived })
        : t('Latest')}
    </Button>
  );
}

/** Scrolls to the target once; fetches older pages until one holds it. */
function useScrollToTarget(
  target: number | null,
  { list, rows }: ThreadRows,
  scrollTo: (key: string) => void,
): void {
  const found = useRef<number | null>(null);
  const latestScrollTo = useRef(scrollTo);
  latestScrollTo.current = scrollTo;
  const key = target === null ? undefined : rows.find((r) => r.item.id === target)?.key;
  useEffect(() => {
    if (target === null || found.current === target) return;
    if (key) {
      // Delayed, because the router restores scroll positions right after a navigation.
      const timer = setTimeout(() => {
        found.current = target;
        latestScrollTo.current(key);
      }, 60);
      return () => clearTimeout(timer);
    }
    if (list.hasMore && !list.loadingMore) list.more();
    return undefined;
    // oxlint-disable-next-line exhaustive-deps -- what is used of the list
  }, [target, key, list.hasMore, list.loadingMore, list.more]);
}

/** How many inbound items arrived while the user had scrolled up. */
function useArrivedCount(rows: readonly ThreadRow[], atBottom: boolean): number {
  const [arrived, setArrived] = useState(0);
  const newest = rows.at(-1)?.item;
  const previousId = useRef<number | undefined>(undefined);
  useEffect(() => {
    const isNew = previousId.current !== undefined && newest?.id !== previousId.current;
    if (isNew && newest?.isInbound && !atBottom) setArrived((n) => n + 1);
    previousId.current = newest?.id;
    // oxlint-disable-next-line exhaustive-deps -- only when the newest changes
  }, [newest?.id]);
  useEffect(() => {
    if (atBottom) setArrived(0);
  }, [atBottom]);
  return arrived;
}
