import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ApiError } from '../api.ts';
import { navigate } from '../address.ts';
import { useShortcuts } from '../shortcuts.ts';
import { rowHeight } from '../theme.ts';
import { t } from '../i18n.ts';
import { Hidden } from './VisuallyHidden.tsx';
import { useColumns, type ColumnPresetOptions } from './columns/use-columns.ts';
import { isCapped, Paging, type PagingProps } from './Paging.tsx';
import { EmptyState, ErrorState } from './States.tsx';
import css from './DataList.module.css';

/**
 * Dragging, presets and their form are loaded with the first list that has configurable columns.
 */
const ColumnChooser = lazy(async () => ({
  default: (await import('./columns/ColumnChooser.tsx')).ColumnChooser,
}));

export interface Column<R> {
  key: string;
  title: string;
  cell: (row: R) => React.ReactNode;
  /** A CSS grid track: `120px`, `1fr`, `minmax(160px, 2fr)`. Default `minmax(0, 1fr)`. */
  width?: string;
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Not shown on phones. */
  wideOnly?: boolean;
  /** Hidden by default (with `columnPresets`). */
  hidden?: boolean;
}
export interface Sort {
  field: string;
  dir: 'asc' | 'desc';
}
interface DataListProps<R> {
  /** Name of the list for screen readers: "Numbers". */
  label: string;
  columns: Column<R>[];
  /**
   * Makes columns configurable (shown, order, width) with presets of this list, such as `numbers`.
   * The first column and those without a title are fixed.
   */
  columnPresets?: ColumnPresetOptions['list'] | ColumnPresetOptions;
  rows: readonly R[] | undefined;
  rowKey: (row: R) => string | number;
  rowLabel?: (row: R) => string;
  loading?: boolean;
  error?: ApiError | null;
  refetch?: () => void;
  empty: React.ReactNode;
  /** URL of a row, opened by Enter or click; otherwise `onOpen`. */
  href?: (row: R) => string;
  onOpen?: (row: R) => void;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selected?: ReadonlySet<string | number>;
  onSelect?: (selected: Set<string | number>) => void;
  /** By page … */
  paging?: PagingProps;
  /** … or loading more on scroll. */
  loadMore?: { hasMore: boolean | undefined; load: () => void; loading: boolean };
  comfortable?: boolean;
  /** Emphasized rows, such as unread ones. */
  emphasized?: (row: R) => boolean;
}

/**
 * A virtualized list: at most 60 DOM rows, 36 px each. j/k or arrows move, Enter opens, x selects,
 * Home and End jump.
 */
export function DataList<R>(props: DataListProps<R>) {
  const {
    label,
    rows,
    rowKey,
    loading,
    error,
    refetch,
    empty,
    href,
    onOpen,
    sort,
    onSort,
    selected,
    onSelect,
    paging,
    loadMore: more,
    emphasized: strong,
  } = props;
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const presetOptions =
    typeof props.columnPresets === 'string' ? { list: props.columnPresets } : props.columnPresets;
  const columnState = useColumns(presetOptions, props.columns);
  // Phones have no room for column choices and show the default columns.
  const configurable = presetOptions !== undefined && !narrow;
  const columns = configurable
    ? columnState.visible
    : props.columns.filter((c) => !c.hidden && (!narrow || !c.wideOnly));
  const shownKeys = columnState.visible.map((c) => c.key).join(' ');
  useEffect(() => presetOptions?.onVisibleColumns?.(shownKeys.split(' ')), [shownKeys]);
  const height = props.comfortable || narrow ? rowHeight.comfortable : rowHeight.dense;
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedIndex, setFocusedIndex] = useState(0);
  const list = rows ?? [];
  const count = list.length;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (i) => (list[i] === undefined ? i : rowKey(list[i])),
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    if (focusedIndex >= count && count > 0) setFocusedIndex(count - 1);
  }, [focusedIndex, count]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more?.hasMore && !more.loading && last >= count - 12) more.load();
  }, [last, count, more]);

  const focusRow = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(count - 1, index));
      setFocusedIndex(next);
      virtual.scrollToIndex(next);
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
      );
    },
    [count, virtual],
  );
  const open = (row: R): void => {
    if (href) navigate(href(row));
    else onOpen?.(row);
  };
  const toggle = (row: R): void => {
    const next = new Set(selected);
    if (!next.delete(rowKey(row))) next.add(rowKey(row));
    onSelect?.(next);
  };
  useShortcuts(
    count === 0
      ? []
      : [
          {
            keys: 'j',
            label: t('Next row'),
            group: t('Lists'),
            run: () => focusRow(hasFocus(scroller.current) ? focusedIndex + 1 : focusedIndex),
          },
          {
            keys: 'k',
            label: t('Previous row'),
            group: t('Lists'),
            run: () => focusRow(hasFocus(scroller.current) ? focusedIndex - 1 : focusedIndex),
          },
        ],
  );
  const onKey = (e: React.KeyboardEvent): void => {
    if (!(e.target instanceof HTMLElement) || e.target.getAttribute('role') !== 'row') return;
    const row = list[focusedIndex];
    const keyActions: Record<string, () => void> = {
      ArrowDown: () => focusRow(focusedIndex + 1),
      ArrowUp: () => focusRow(focusedIndex - 1),
      Home: () => focusRow(0),
      End: () => focusRow(count - 1),
      PageDown: () => focusRow(focusedIndex + 10),
      PageUp: () => focusRow(focusedIndex - 10),
      Enter: () => row !== undefined && open(row),
      ...(onSelect && row !== undefined && { x: () => toggle(row), ' ': () => toggle(row) }),
    };
    const act = keyActions[e.key];
    if (act) {
      e.preventDefault();
      act();
    }
  };

  const tracks = [
    ...(onSelect ? ['32px'] : []),
    ...columns.map((c, i) => widenTrack(c.width ?? 'minmax(0, 1fr)', configurable, i === 0)),
    ...(configurable ? ['20px'] : []),
  ].join(' ');
  // At least as wide as its columns, so that the first one can stay in view on horizontal scroll.
  const minWidth = !configurable
    ? 0
    : tracks
        .split(/ (?![^(]*\))/)
        .reduce((sum, track) => sum + Number(/(\d+)px/.exec(track)?.[1] ?? 0) + 12, 12);
  const resize = configurable
    ? (key: string, width: number | null): void =>
        columnState.arrange(
          columnState.all.map(({ placed }) => (placed.key === key ? { ...placed, width } : placed)),
        )
    : undefined;
  if (error && !rows) return <ErrorState error={error} {...(refetch && { retry: refetch })} />;
  if (!loading && rows && count === 0)
    return (
      <div className={css.empty}>
        {paging && paging.page > 1 ? <EmptyPage toFirst={() => paging.onPage(1)} /> : empty}
      </div>
    );
  const allSelected = count > 0 && list.every((r) => selected?.has(rowKey(r)));
  const clickable = Boolean(href ?? onOpen);

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
      <div
        ref={scroller}
        className={css.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={isCapped(paging?.meta) ? -1 : (paging?.meta?.total ?? count) + 1}
        aria-busy={loading || undefined}
        onKeyDown={onKey}
        tabIndex={count === 0 ? 0 : -1}
      >
        <div role="rowgroup" className={css.headGroup}>
          <div role="row" className={css.head} aria-rowindex={1}>
            {onSelect && (
              <div
                role="columnheader"
                className={css.cell}
                data-pinned={configurable ? 'box' : undefined}
              >
                <Checkbox
                  size="xs"
                  aria-label={t('Select all on this page')}
                  checked={allSelected}
                  indeterminate={!allSelected && Boolean(selected?.size)}
                  onChange={() => onSelect(allSelected ? new Set() : new Set(list.map(rowKey)))}
                />
              </div>
            )}
            {columns.map((c, i) => (
              <HeaderCell
                key={c.key}
                column={c}
                pinned={configurable && i === 0}
                {...(sort && { sort })}
                {...(onSort && { onSort })}
                {...(resize && { resize })}
              />
            ))}
          </div>
        </div>
        {loading && !rows ? (
          <div role="rowgroup">
            {Array.from({ length: 12 }, (_, i) => (
              <div key={i} role="row" className={css.row}>
                <div role="gridcell" className={css.wait}>
                  <Skeleton height={12} width={`${70 - (i % 4) * 11}%`} />
                </div>
              </div>
            ))}
          </div>
        ) : (
          <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = list[item.index];
              if (row === undefined) return null;
              const isChosen = selected?.has(rowKey(row)) ?? false;
              return (
                <div
                  key={item.key}
                  role="row"
                  className={css.row}
                  data-index={item.index}
                  data-open={clickable || undefined}
                  data-strong={strong?.(row) || undefined}
                  aria-rowindex={item.index + 2}
                  aria-selected={onSelect ? isChosen : undefined}
                  aria-label={props.rowLabel?.(row)}
                  tabIndex={item.index === focusedIndex ? 0 : -1}
                  style={{ transform: `translateY(${item.start}px)`, position: 'absolute' }}
                  onFocus={() => setFocusedIndex(item.index)}
                  onClick={(e) => {
                    if (clickable && !isControl(e.target)) open(row);
                  }}
                >
                  {onSelect && (
                    <div
                      role="gridcell"
                      className={css.cell}
                      data-pinned={configurable ? 'box' : undefined}
                    >
                      <Checkbox
                        size="xs"
                        aria-label={t('Select {row}', {
                          row: props.rowLabel?.(row) ?? String(rowKey(row)),
                        })}
                        checked={isChosen}
                        onChange={() => toggle(row)}
                        tabIndex={-1}
                      />
                    </div>
                  )}
                  {columns.map((c, i) => (
                    <div
                      key={c.key}
                      role="gridcell"
                      className={css.cell}
                      data-align={c.align}
                      data-pinned={(configurable && i === 0) || undefined}
                    >
                      {href && i === 0 ? (
                        <a className={css.link} href={href(row)} tabIndex={-1}>
                          {c.cell(row)}
                        </a>
                      ) : (
                        c.cell(row)
                      )}
                    </div>
                  ))}
                </div>
              );
            })}
          </div>
        )}
        {more?.loading && (
          <div className={css.wait} aria-hidden>
            <Skeleton height={12} width="40%" />
          </div>
        )}
      </div>
      {configurable && (
        <div className={css.chooser}>
          <Suspense fallback={null}>
            <ColumnChooser
              as={presetOptions}
              columns={columnState}
              order={props.columns}
              {...(sort && { sort })}
              {...(onSort && { onSort })}
            />
          </Suspense>
        </div>
      )}
      {paging && <Paging {...paging} shown={count} />}
    </div>
  );
}

/**
 * Keeps a minimum width per configurable column; the list scrolls horizontally instead of squeezing
 * them.
 */
const widenTrack = (track: string, choosable: boolean, first: boolean): string =>
  choosable ? track.replace(/^minmax\(0,/, `minmax(${first ? 140 : 88}px,`) : track;
const hasFocus = (el: HTMLElement | null): boolean => el?.contains(document.activeElement) ?? false;
const isControl = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest('a,button,input,label,[role="menuitem"],[role="switch"]') !== null;

function HeaderCell<R>({
  column,
  pinned,
  sort,
  onSort,
  resize,
}: {
  column: Column<R>;
  pinned: boolean;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  resize?: (key: string, width: number | null) => void;
}) {
  const active = sort?.field === column.key;
  const sorted = active ? (sort.dir === 'asc' ? 'ascending' : 'descending') : undefined;
  const edge =
    resize && column.title ? <ResizeHandle resize={(width) => resize(column.key, width)} /> : null;
  if (!column.sortable || !onSort)
    return (
      <div
        role="columnheader"
        className={css.cell}
        data-head
        data-pinned={pinned || undefined}
        data-align={column.align}
      >
        {column.title || <Hidden>{t('Actions')}</Hidden>}
        {edge}
      </div>
    );
  return (
    <div
      role="columnheader"
      className={css.cell}
      data-head
      data-pinned={pinned || undefined}
      data-align={column.align}
      aria-sort={sorted ?? 'none'}
    >
      <button
        type="button"
        className={css.sort}
        onClick={() =>
          onSort({ field: column.key, dir: active && sort.dir === 'asc' ? 'desc' : 'asc' })
        }
      >
        {column.title}
        {active &&
          (sort.dir === 'asc' ? (
            <IconArrowUp size={12} aria-hidden />
          ) : (
            <IconArrowDown size={12} aria-hidden />
          ))}
      </button>
      {edge}
    </div>
  );
}

/**
 * Handle at a column's edge: drag to resize, double-click for automatic width. By keyboard, widths
 * are set in the chooser.
 */
function ResizeHandle({ resize }: { resize: (width: number | null) => void }) {
  const from = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      className={css.edge}
      aria-hidden
      onClick={(e) => e.stopPropagation()}
      onDoubleClick={() => resize(null)}
      onPointerDown={(e) => {
        e.preventDefault();
        e.currentTarget.setPointerCapture(e.pointerId);
        from.current = {
          x: e.clientX,
          width: e.currentTarget.parentElement!.getBoundingClientRect().width,
        };
      }}
      onPointerMove={(e) => {
        if (from.current && Math.abs(e.clientX - from.current.x) > 2)
          resize(
            Math.round(
              Math.min(1200, Math.max(40, from.current.width + e.clientX - from.current.x)),
            ),
          );
      }}
      onPointerUp={() => {
        from.current = null;
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
    />
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
