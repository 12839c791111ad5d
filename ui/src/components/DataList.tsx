import { lazy, Suspense, useEffect, type RefObject } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { navigate } from '../address.ts';
import { rowHeight } from '../theme.ts';
import { t } from '../i18n.ts';
import { ListHeader } from './list/ListHeader.tsx';
import { ListRow, LoadingRows } from './list/ListRows.tsx';
import type { DataListProps } from './list/types.ts';
import { gridTracks, useListColumns } from './list/use-list-columns.ts';
import { useListFocus } from './list/use-list-focus.ts';
import { isCapped, Paging } from './Paging.tsx';
import { EmptyState, ErrorState } from './States.tsx';
import css from './DataList.module.css';

export type { Column, Sort } from './list/types.ts';

/**
 * Dragging, presets and their form are loaded with the first list that has configurable columns.
 */
const ColumnChooser = lazy(async () => ({
  default: (await import('./columns/ColumnChooser.tsx')).ColumnChooser,
}));

/**
 * A virtualized list: at most 60 DOM rows, 36 px each. j/k or arrows move, Enter opens, x selects,
 * Home and End jump.
 */
export function DataList<R>(props: DataListProps<R>) {
  const { rows, loading, error, refetch, href, onOpen, onSelect, paging } = props;
  const layout = useListColumns(props);
  const height = props.comfortable || layout.narrow ? rowHeight.comfortable : rowHeight.dense;
  const { focus, open, toggle } = useRowActions(props, height);

  if (error && !rows) return <ErrorState error={error} {...(refetch && { retry: refetch })} />;
  if (!loading && rows?.length === 0)
    return (
      <div className={css.empty}>
        {paging && paging.page > 1 ? <EmptyPage toFirst={() => paging.onPage(1)} /> : props.empty}
      </div>
    );
  const { tracks, minWidth } = gridTracks(layout.columns, layout, onSelect !== undefined);
  return (
    <div
      className={css.root}
      style={
        {
          '--tracks': tracks,
          '--least': `${minWidth}px`,
          '--pinned': onSelect ? '44px' : '0px',
          '--height': `${height}px`,
        } as React.CSSProperties
      }
    >
      <ListGrid
        props={props}
        layout={layout}
        focus={focus}
        open={(href ?? onOpen) ? open : undefined}
        toggle={onSelect ? toggle : undefined}
      />
      {layout.chooser && (
        <div className={css.chooser}>
          <Suspense fallback={null}>
            <ColumnChooser
              as={layout.chooser}
              columns={layout.columnState}
              order={props.columns}
              {...(props.sort && { sort: props.sort })}
              {...(props.onSort && { onSort: props.onSort })}
            />
          </Suspense>
        </div>
      )}
      {paging && <Paging {...paging} shown={rows?.length ?? 0} />}
    </div>
  );
}

/** Opens and selects rows, also by keyboard, and loads more of them near the end. */
function useRowActions<R>(props: DataListProps<R>, height: number) {
  const { rowKey, href, onOpen, selected, onSelect, loadMore } = props;
  const list = props.rows ?? [];
  const count = list.length;
  const open = (row: R): void => {
    if (href) navigate(href(row));
    else onOpen?.(row);
  };
  const toggle = (row: R): void => {
    const next = new Set(selected);
    if (!next.delete(rowKey(row))) next.add(rowKey(row));
    onSelect?.(next);
  };
  const focus = useListFocus(list, height, rowKey, (row) => ({
    Enter: () => open(row),
    ...(onSelect && { x: () => toggle(row), ' ': () => toggle(row) }),
  }));
  const last = focus.virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore?.hasMore && !loadMore.loading && last >= count - 12) loadMore.load();
  }, [last, count, loadMore]);
  return { focus, open, toggle };
}

interface GridProps<R> {
  props: DataListProps<R>;
  layout: ReturnType<typeof useListColumns<R>>;
  focus: ReturnType<typeof useListFocus<R>>;
  open: ((row: R) => void) | undefined;
  toggle: ((row: R) => void) | undefined;
}

/** The scrolling part of the list: its header and its rows. */
function ListGrid<R>(grid: GridProps<R>) {
  const { props, layout, focus } = grid;
  const { rowKey, loading, selected, onSelect, paging } = props;
  const list = props.rows ?? [];
  const count = list.length;
  const allSelected = count > 0 && list.every((r) => selected?.has(rowKey(r)));
  useSidewaysMark(focus.scroller, layout.columns.map(({ width }) => width).join());
  return (
    <div
      ref={focus.scroller}
      className={css.scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={isCapped(paging?.meta) ? -1 : (paging?.meta?.total ?? count) + 1}
      aria-busy={loading || undefined}
      onKeyDown={focus.onKey}
      tabIndex={count === 0 ? 0 : -1}
    >
      <ListHeader
        columns={layout.columns}
        configurable={layout.configurable}
        narrow={layout.narrow}
        sort={props.sort}
        onSort={props.onSort}
        resize={layout.resize}
        selection={
          onSelect && {
            all: allSelected,
            some: Boolean(selected?.size),
            onToggle: () => onSelect(allSelected ? new Set() : new Set(list.map(rowKey))),
          }
        }
      />
      {loading && !props.rows ? <LoadingRows /> : <VirtualRows {...grid} />}
      {props.loadMore?.loading && (
        <div className={css.wait} aria-hidden>
          <Skeleton height={12} width="40%" />
        </div>
      )}
    </div>
  );
}

/** Marks a list that is wider than its place, whose pinned cells then cover what slides below. */
function useSidewaysMark(scroller: RefObject<HTMLDivElement | null>, widths: string): void {
  useEffect(() => {
    const list = scroller.current;
    if (!list) return undefined;
    const watch = new ResizeObserver(() =>
      list.toggleAttribute('data-sideways', list.scrollWidth > list.clientWidth),
    );
    watch.observe(list);
    return () => watch.disconnect();
    // Columns that come later make the list wider, and its place stays as it is.
  }, [scroller, widths]);
}

/** The rows in view, placed where they are in the whole list. */
function VirtualRows<R>({ props, layout, focus, open, toggle }: GridProps<R>) {
  const { rows, rowKey, selected } = props;
  return (
    <div role="rowgroup" className={css.body} style={{ height: focus.virtual.getTotalSize() }}>
      {focus.virtual.getVirtualItems().map((item) => {
        const row = rows?.[item.index];
        return row === undefined ? null : (
          <ListRow
            key={item.key}
            list={props}
            row={row}
            item={item}
            columns={layout.columns}
            configurable={layout.configurable}
            narrow={layout.narrow}
            focused={item.index === focus.focusedIndex}
            onFocus={() => focus.setFocusedIndex(item.index)}
            open={open}
            selected={selected?.has(rowKey(row)) ?? false}
            toggle={toggle}
          />
        );
      })}
    </div>
  );
}

/** A page after the last one: rows were removed, or the URL is old. */
const EmptyPage = ({ toFirst }: { toFirst: () => void }) => (
  <EmptyState
    title={t('Nothing on this page')}
    action={
      <Button variant="default" onClick={toFirst}>
        {t('First page')}
      </Button>
    }
  >
    {t('This list has fewer pages.')}
  </EmptyState>
);
