import { useEffect, useMemo, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Skeleton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { conversations, type Query } from '#contract';
import type { InboxItem } from '#contract/conversations/schemas';
import { EmptyState, ErrorState, t, Time, useApiInfiniteQuery } from '#ui';
import { KindIcon } from '../KindIcon.tsx';
import { matchExcerpt } from './match-excerpt.ts';
import { conversationHref } from './use-inbox.ts';
import { conversationName, snippetOf } from '#ui/messaging/labels.ts';
import css from './FoundItems.module.css';

const height = 64;

interface ItemSearch {
  search: string;
  types: string[];
  numbers: string[];
  source: string;
  allTime: boolean;
}

/** The items that a search finds, newest first; each links to its place in its conversation. */
export function FoundItems(props: ItemSearch) {
  const { search, allTime } = props;
  const { items: found, list } = useFoundItems(props);
  const here = useLocation({ select: (place) => Number(place.hash.replace('#', '')) });
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const { hasMore, loadingMore, more } = list;
  useEffect(() => {
    if (hasMore && !loadingMore && last >= found.length - 10) more();
  }, [last, found.length, hasMore, loadingMore, more]);
  if (list.error && found.length === 0)
    return <ErrorState error={list.error} retry={list.refetch} />;
  if (list.loading) return <LoadingItems />;
  if (found.length === 0)
    return (
      <EmptyState title={t('No results')}>
        {allTime
          ? t('No messages, voicemails or notes match “{search}”.', { search })
          : t('No messages, voicemails or notes from the last two years match “{search}”.', {
              search,
            })}
      </EmptyState>
    );
  return (
    <div ref={scroller} className={css.scroller}>
      <div
        role="list"
        aria-label={t('Matching messages')}
        className={css.list}
        style={{ height: virtual.getTotalSize() }}
      >
        {visible.map(({ index, start }) => {
          const item = found[index];
          return (
            item && (
              <div
                key={item.id}
                role="listitem"
                className={css.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <FoundItem item={item} search={search} isOpen={item.id === here} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function useFoundItems({ search, types, numbers, source, allTime }: ItemSearch) {
  const query = useMemo(
    () => ({
      perPage: 30,
      search,
      ...(allTime && { allTime: true }),
      ...(types.length > 0 && {
        types: types as Query<typeof conversations.listInboxItems>['types'],
      }),
      ...(numbers.length > 0 && { numbers: numbers.map(Number) }),
      ...(source && { sources: [source] }),
    }),
    [search, types, numbers, source, allTime],
  );
  const list = useApiInfiniteQuery(
    conversations.listInboxItems,
    { query },
    { staleTime: 30_000, silent: true },
  );
  return { items: list.rows as InboxItem[], list };
}

function LoadingItems() {
  return (
    <div className={css.scroller} aria-busy="true">
      {Array.from({ length: 8 }, (_, i) => (
        <div key={i} className={css.wait}>
          <Skeleton height={11} width="45%" />
          <Skeleton height={10} width={`${85 - (i % 3) * 15}%`} mt={9} />
        </div>
      ))}
    </div>
  );
}

/** Whose conversation it is from, when, and its text around the match. */
function FoundItem({ item, search, isOpen }: { item: InboxItem; search: string; isOpen: boolean }) {
  const snippet = snippetOf({
    id: item.id,
    isInbound: item.isInbound,
    createdAt: item.createdAt,
    type: item.kind,
    details: item.details as Record<string, unknown>,
  });
  const [before, match, after] = matchExcerpt(snippet, search);
  return (
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the name and the words inside are its label
    <a
      className={css.link}
      href={`${conversationHref(item.conversationId)}#${item.id}`}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={css.top}>
        <span className={css.name}>
          {conversationName({ recipient: item.recipient, contact: item.contact })}
        </span>
        <span className={css.time}>
          <Time at={item.createdAt} />
        </span>
      </span>
      <span className={css.bottom}>
        <span className={css.kind}>
          <KindIcon kind={item.kind} isInbound={item.isInbound} size={14} />
        </span>
        <span className={css.words}>
          {before}
          {match && <mark>{match}</mark>}
          {after}
        </span>
      </span>
    </a>
  );
}
