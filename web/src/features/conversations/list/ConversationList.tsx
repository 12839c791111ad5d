import { useCallback, useEffect, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { sentences } from '#contract/sentences';
import { EmptyState, ErrorState, navigate, lazyComponent, t, useShortcuts } from '#ui';
import { ConversationRow } from './ConversationRow.tsx';
import type { Conversation } from '../cache-updates.ts';
import { InboxFilterBar, type BesideNumber } from './InboxFilterBar.tsx';
import { openTeamDialog } from '../team/team-dialog.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { conversationHref, inboxHref, type useInbox } from './use-inbox.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { SearchOperators, usesSearchOperator } from './SearchOperators.tsx';
import css from './ConversationList.module.css';

const FoundItems = lazyComponent(async () => (await import('./FoundItems.tsx')).FoundItems);
const BulkBar = lazyComponent(async () => (await import('./BulkBar.tsx')).BulkBar);

interface ListProps {
  inbox: ReturnType<typeof useInbox>;
  acts: ConversationActions;
  openId: number | null;
  open: Conversation | undefined;
  onNew: () => void;
  besideNumber?: BesideNumber;
}

/** The left pane. j and k move, Enter opens, x chooses, e, u and # act on the chosen ones, else on the one under the cursor, else on the open one. */
export function ConversationList({
  inbox,
  acts: actions,
  openId,
  open,
  onNew,
  besideNumber,
}: ListProps) {
  const { rows, loading, error, refetch, hasMore, more, loadingMore, filters, isFiltered, clear } =
    inbox;
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const manyNumbers = useOurNumbers().length > 1;
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(openId);
  const [chosen, setChosen] = useState<ReadonlyMap<number, Conversation>>(new Map());
  const lastChosen = useRef<number | null>(null);
  const height = narrow ? 72 : 64;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    getItemKey: (i) => rows[i]?.id ?? i,
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    if (openId !== null) setCursor(openId);
  }, [openId]);
  // Another list: nothing of the old one stays chosen.
  const which = JSON.stringify(filters);
  useEffect(() => {
    setChosen(new Map());
    scroller.current?.scrollTo({ top: 0 });
  }, [which]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !loadingMore && last >= rows.length - 10) more();
  }, [last, rows.length, hasMore, loadingMore, more]);

  const at = rows.findIndex((c) => c.id === cursor);
  // Answering takes a conversation to the top; whoever works through the list goes on from where it stood.
  const place = useRef<{ id: number; activity: string; order: readonly number[] } | null>(null);
  useEffect(() => {
    const row = rows.find((c) => c.id === cursor);
    if (row && (place.current?.id !== row.id || place.current.activity === row.lastActivityAt))
      place.current = { id: row.id, activity: row.lastActivityAt, order: rows.map((c) => c.id) };
  }, [rows, cursor]);
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!row) return;
    setCursor(row.id);
    virtual.scrollToIndex(rows.indexOf(row));
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`a[data-id="${row.id}"]`)
        ?.focus({ preventScroll: true }),
    );
  };
  const choose = useCallback(
    (row: Conversation, range: boolean) =>
      setChosen((before) => {
        const next = new Map(before);
        const from = rows.findIndex((c) => c.id === lastChosen.current),
          to = rows.findIndex((c) => c.id === row.id);
        if (range && from >= 0 && to >= 0)
          for (const each of rows.slice(Math.min(from, to), Math.max(from, to) + 1))
            next.set(each.id, each);
        else if (!next.delete(row.id)) next.set(row.id, row);
        lastChosen.current = row.id;
        return next;
      }),
    [rows],
  );

  const inList = (): boolean => scroller.current?.contains(document.activeElement) ?? false;
  const meant = (): Conversation[] => {
    if (chosen.size > 0) return [...chosen.values()];
    const one =
      inList() || openId === null ? rows[at] : (open ?? rows.find((c) => c.id === openId));
    return one ? [one] : [];
  };
  /** What was put away makes room for the next one. */
  const putAway = (list: readonly Conversation[]): void => {
    const gone = new Set(list.map((c) => c.id));
    setChosen(new Map());
    const left = rows.filter((c) => !gone.has(c.id));
    const order = place.current?.id === cursor ? place.current.order : rows.map((c) => c.id);
    const from = order.indexOf(cursor ?? -1);
    const near = [...order.slice(from + 1), ...order.slice(0, Math.max(0, from)).reverse()].find(
      (id) => left.some((c) => c.id === id),
    );
    const next = left.find((c) => c.id === near) ?? left[0];
    if (next) setCursor(next.id);
    if (openId !== null && gone.has(openId))
      navigate(next && !narrow ? conversationHref(next.id) : inboxHref());
    else if (next && inList())
      requestAnimationFrame(() =>
        scroller.current
          ?.querySelector<HTMLElement>(`a[data-id="${next.id}"]`)
          ?.focus({ preventScroll: true }),
      );
  };
  const archive = (list = meant()): void => {
    if (list.length === 0) return;
    const back = list.every((c) => c.isArchived);
    if (back) actions.restore(list);
    else actions.archive(list);
    if (back === (filters.view === 'archived')) putAway(list);
    else setChosen(new Map());
  };
  const assign = (list = meant()): void =>
    openTeamDialog('assign', list, () => setChosen(new Map()));
  const snooze = (list = meant()): void =>
    openTeamDialog('snooze', list, () => {
      if (filters.view === 'snoozed') setChosen(new Map());
      else putAway(list);
    });
  const unread = (list = meant()): void => {
    if (list.length === 0) return;
    void actions.unread(list);
    setChosen(new Map());
    if (openId !== null && list.some((c) => c.id === openId)) navigate(inboxHref());
  };
  const remove = async (list = meant()): Promise<void> => {
    if (await actions.remove(list)) putAway(list);
  };

  const group = t('Inbox');
  useShortcuts([
    { keys: 'j', label: t('Next conversation'), group, run: () => move(at + 1) },
    { keys: 'k', label: t('Previous conversation'), group, run: () => move(at < 0 ? 0 : at - 1) },
    {
      keys: 'Enter',
      label: t('Open conversation'),
      group,
      run: () => {
        const row = rows[at];
        if (row) navigate(conversationHref(row.id));
      },
    },
    { keys: 'e', label: t('Archive, or move to inbox'), group, run: () => archive() },
    { keys: 's', label: t('Snooze'), group, run: () => snooze() },
    { keys: 'a', label: t('Assign'), group, run: () => assign() },
    { keys: 'u', label: t('Mark unread'), group, run: () => unread() },
    {
      keys: 'x',
      label: t('Select conversation'),
      group,
      run: () => {
        const row = rows[at];
        if (row) choose(row, false);
      },
    },
    { keys: 'n', label: t('New conversation'), group, run: onNew },
    ...(actions.mayDelete
      ? [{ keys: '#', label: t('Delete conversation'), group, run: () => void remove() }]
      : []),
    ...(chosen.size > 0
      ? [{ keys: 'Escape', label: t('Clear selection'), group, run: () => setChosen(new Map()) }]
      : []),
  ]);

  return (
    <div className={css.pane}>
      <InboxFilterBar inbox={inbox} onNew={onNew} besideNumber={besideNumber} />
      {chosen.size > 0 && (
        <BulkBar
          selected={[...chosen.values()]}
          mayDelete={actions.mayDelete}
          allShown={chosen.size >= rows.length}
          onAll={() => setChosen(new Map(rows.map((c) => [c.id, c])))}
          onNone={() => setChosen(new Map())}
          onArchive={() => archive()}
          onAssign={() => assign()}
          onSnooze={() => snooze()}
          onRead={() => {
            void actions.read([...chosen.values()]);
            setChosen(new Map());
          }}
          onUnread={() => unread()}
          onDelete={() => void remove()}
        />
      )}
      {inbox.inItems ? (
        <FoundItems
          search={filters.search}
          types={filters.types}
          numbers={filters.numbers}
          allTime={filters.all !== ''}
        />
      ) : error?.status === 422 && rows.length === 0 ? (
        <EmptyState
          title={t('This search isn’t valid')}
          action={
            <Button variant="default" onClick={clear}>
              {t('Clear filters')}
            </Button>
          }
        >
          <p>{error.text}</p>
          <SearchOperators />
        </EmptyState>
      ) : error && rows.length === 0 ? (
        <ErrorState title={t(sentences.conversationsFailedTitle)} retry={refetch} />
      ) : loading ? (
        <div className={css.scroller} aria-busy="true">
          {Array.from({ length: 10 }, (_, i) => (
            <RowSkeleton key={i} wide={70 - (i % 4) * 12} />
          ))}
        </div>
      ) : rows.length === 0 ? (
        <EmptyInbox
          view={filters.view}
          isFiltered={isFiltered}
          search={filters.search}
          allTime={filters.all !== ''}
          onClear={clear}
          onNew={onNew}
        />
      ) : (
        <div ref={scroller} className={css.scroller}>
          <div
            role="list"
            aria-label={t('Conversations')}
            className={css.list}
            style={{ height: virtual.getTotalSize() }}
          >
            {items.map((v) => {
              const row = rows[v.index];
              return (
                row && (
                  <div
                    key={v.key}
                    role="listitem"
                    aria-setsize={hasMore ? -1 : rows.length}
                    aria-posinset={v.index + 1}
                    className={css.item}
                    style={{ transform: `translateY(${v.start}px)` }}
                  >
                    <ConversationRow
                      row={row}
                      isOpen={row.id === openId}
                      isChosen={chosen.has(row.id)}
                      choosing={chosen.size > 0}
                      isCursor={at < 0 ? v.index === 0 : v.index === at}
                      showsNumber={manyNumbers && filters.numbers.length !== 1}
                      showsArchived={filters.view !== 'archived'}
                      onChoose={choose}
                      onFocus={setCursor}
                    />
                  </div>
                )
              );
            })}
          </div>
          {loadingMore && <RowSkeleton wide={50} />}
        </div>
      )}
    </div>
  );
}

const RowSkeleton = ({ wide }: { wide: number }) => (
  <div className={css.wait} aria-hidden>
    <Skeleton circle height={36} />
    <div>
      <Skeleton height={11} width={`${wide}%`} />
      <Skeleton height={10} width={`${wide + 20}%`} mt={9} />
    </div>
  </div>
);

function EmptyInbox({
  view,
  isFiltered,
  search,
  allTime,
  onClear,
  onNew,
}: {
  view: string;
  isFiltered: boolean;
  search: string;
  allTime: boolean;
  onClear: () => void;
  onNew: () => void;
}) {
  if (view === 'snoozed' && !search)
    return (
      <EmptyState
        title={t('Nothing snoozed')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Show the inbox')}
          </Button>
        }
      >
        {t('Snoozed conversations wait here until their time, or until something new arrives.')}
      </EmptyState>
    );
  if (view === 'unread' && !search)
    return (
      <EmptyState
        title={t('You’re all caught up')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Show the inbox')}
          </Button>
        }
      >
        {t('New messages, calls and voicemails appear here until someone has seen them.')}
      </EmptyState>
    );
  if (view === 'archived' && !search)
    return (
      <EmptyState
        title={t('Nothing archived')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Show the inbox')}
          </Button>
        }
      >
        {t('Archived conversations stay here. Anything new brings them back.')}
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState
        title={t('No results')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {usesSearchOperator(search) ? (
          <>
            <p>{t('No conversations match “{search}”.', { search })}</p>
            <SearchOperators />
          </>
        ) : search ? (
          allTime ? (
            t('No conversations match “{search}”.', { search })
          ) : (
            t(
              'No conversations match “{search}”. Names, numbers and text from the last two years are searched.',
              { search },
            )
          )
        ) : (
          t('No conversations match these filters.')
        )}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t('No conversations yet')}
      action={<Button onClick={onNew}>{t('New conversation')}</Button>}
    >
      {t('Everyone who calls or texts one of your numbers appears here.')}
    </EmptyState>
  );
}
