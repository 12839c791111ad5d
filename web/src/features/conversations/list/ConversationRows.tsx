import { Skeleton } from '@mantine/core';
import type { Virtualizer } from '@tanstack/react-virtual';
import { t } from '#ui';
import { useOurNumbers } from '../use-our-numbers.ts';
import { ConversationRow } from './ConversationRow.tsx';
import type { useInbox } from './use-inbox.ts';
import type { ListCursor } from './use-list-cursor.ts';
import type { Selection } from './use-selection.ts';
import css from './ConversationList.module.css';

/** The loaded conversations; only visible rows are in the DOM. */
export function ConversationRows({
  inbox,
  virtual,
  scroller,
  openId,
  cursor,
  selection,
}: {
  inbox: ReturnType<typeof useInbox>;
  virtual: Virtualizer<HTMLDivElement, Element>;
  scroller: React.RefObject<HTMLDivElement | null>;
  openId: number | null;
  cursor: ListCursor;
  selection: Selection;
}) {
  const { rows, hasMore, loadingMore, filters } = inbox;
  const hasSeveralNumbers = useOurNumbers().length > 1;
  return (
    <div ref={scroller} className={css.scroller}>
      <div
        role="list"
        aria-label={t('Conversations')}
        className={css.list}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <div
              key={item.key}
              role="listitem"
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={item.index + 1}
              className={css.item}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <ConversationRow
                row={row}
                isOpen={row.id === openId}
                isChosen={selection.selected.has(row.id)}
                choosing={selection.selected.size > 0}
                isCursor={item.index === Math.max(0, cursor.index)}
                showsNumber={hasSeveralNumbers && filters.numbers.length !== 1}
                showsArchived={filters.view !== 'archived'}
                onChoose={selection.toggle}
                onFocus={cursor.setCursorId}
              />
            </div>
          );
        })}
      </div>
      {loadingMore && <RowSkeleton widthPercent={50} />}
    </div>
  );
}

/** The skeleton shown while the first conversations load. */
export const LoadingRows = () => (
  <div className={css.scroller} aria-busy="true">
    {Array.from({ length: 10 }, (_, i) => (
      <RowSkeleton key={i} widthPercent={70 - (i % 4) * 12} />
    ))}
  </div>
);

const RowSkeleton = ({ widthPercent }: { widthPercent: number }) => (
  <div className={css.wait} aria-hidden>
    <Skeleton circle height={36} />
    <div>
      <Skeleton height={11} width={`${widthPercent}%`} />
      <Skeleton height={10} width={`${widthPercent + 20}%`} mt={9} />
    </div>
  </div>
);
