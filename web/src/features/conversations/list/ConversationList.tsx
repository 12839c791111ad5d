import { useEffect, useRef } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { sentences } from '#contract/sentences';
import { ErrorState, lazyComponent, t } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { ConversationRows, LoadingRows } from './ConversationRows.tsx';
import { InboxFilterBar } from './InboxFilterBar.tsx';
import type { BesideNumber } from './InboxFilters.tsx';
import type { useInbox } from './use-inbox.ts';
import { useListActions, useListShortcuts } from './use-list-actions.ts';
import { useListCursor } from './use-list-cursor.ts';
import { useSelection } from './use-selection.ts';
import css from './ConversationList.module.css';

const EmptyInbox = lazyComponent(async () => (await import('./EmptyInbox.tsx')).EmptyInbox);
const InvalidSearch = lazyComponent(async () => (await import('./EmptyInbox.tsx')).InvalidSearch);
const FoundItems = lazyComponent(async () => (await import('./FoundItems.tsx')).FoundItems);
const BulkBar = lazyComponent(async () => (await import('./BulkBar.tsx')).BulkBar);

const rowHeight = { wide: 64, narrow: 72 };
/** The next page loads when this many rows are left below the visible ones. */
const rowsBeforeLoad = 10;

interface ListProps {
  inbox: ReturnType<typeof useInbox>;
  acts: ConversationActions;
  openId: number | null;
  /** The open conversation, even when this list doesn't contain it. */
  open: Conversation | undefined;
  onNew: () => void;
  besideNumber?: BesideNumber;
}

/** The left pane: filters, bulk actions and the conversations. */
export function ConversationList({
  inbox,
  acts: actions,
  openId,
  open,
  onNew,
  besideNumber,
}: ListProps) {
  const { rows, filters } = inbox;
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const listKey = JSON.stringify(filters);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(inbox, scroller, narrow, listKey);
  const selection = useSelection(rows, listKey);
  const cursor = useListCursor({ rows, openId, narrow, scroller, virtual });
  const list = { rows, view: filters.view, openId, open, cursor, selection, actions };
  const listActions = useListActions(list);
  useListShortcuts(list, listActions, onNew);
  return (
    <div className={css.pane}>
      <InboxFilterBar inbox={inbox} onNew={onNew} besideNumber={besideNumber} />
      {selection.selected.size > 0 && (
        <BulkBar
          selected={[...selection.selected.values()]}
          mayDelete={actions.mayDelete}
          allShown={selection.selected.size >= rows.length}
          onAll={selection.selectAll}
          onNone={selection.clear}
          onArchive={listActions.archive}
          onAssign={listActions.assign}
          onSnooze={listActions.snooze}
          onRead={listActions.markRead}
          onUnread={listActions.markUnread}
          onDelete={() => void listActions.remove()}
        />
      )}
      <ListContent
        inbox={inbox}
        onNew={onNew}
        rows={<ConversationRows {...{ inbox, virtual, scroller, openId, cursor, selection }} />}
      />
    </div>
  );
}

/** The rows, or what replaces them: found items, an error, the skeleton or the empty state. */
function ListContent({
  inbox,
  onNew,
  rows,
}: {
  inbox: ReturnType<typeof useInbox>;
  onNew: () => void;
  rows: React.ReactNode;
}) {
  const { filters, error, loading, refetch, clear } = inbox;
  const isEmpty = inbox.rows.length === 0;
  if (inbox.inItems)
    return (
      <FoundItems
        search={filters.search}
        types={filters.types}
        numbers={filters.numbers}
        source={filters.source}
        allTime={filters.all !== ''}
      />
    );
  if (error?.status === 422 && isEmpty) return <InvalidSearch text={error.text} onClear={clear} />;
  if (error && isEmpty)
    return <ErrorState title={t(sentences.conversationsFailedTitle)} retry={refetch} />;
  if (loading) return <LoadingRows />;
  if (isEmpty) return <EmptyInbox inbox={inbox} onNew={onNew} />;
  return rows;
}

/**
 * Virtualizes the rows and loads the next page near the end. A different list scrolls to its top.
 */
function useRowVirtualizer(
  { rows, hasMore, more: loadMore, loadingMore }: ReturnType<typeof useInbox>,
  scroller: React.RefObject<HTMLDivElement | null>,
  narrow: boolean,
  listKey: string,
) {
  const height = narrow ? rowHeight.narrow : rowHeight.wide;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    getItemKey: (i) => rows[i]?.id ?? i,
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [listKey, scroller]);
  const lastIndex = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !loadingMore && lastIndex >= rows.length - rowsBeforeLoad) loadMore();
  }, [lastIndex, rows.length, hasMore, loadingMore, loadMore]);
  return virtual;
}
