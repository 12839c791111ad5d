import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Checkbox, Pagination, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Refusal } from '../ask.ts';
import { go } from '../address.ts';
import { formatNumber } from '../format.ts';
import { useShortcuts } from '../shortcuts.ts';
import { rowHeight } from '../theme.ts';
import { t } from '../words.ts';
import { Hidden } from './Bits.tsx';
import { ErrorState } from './States.tsx';
import css from './DataList.module.css';

export interface Column<R> {
  key: string;
  title: string;
  cell: (row: R) => React.ReactNode;
  /** A CSS grid track: `120px`, `1fr`, `minmax(160px, 2fr)`. Default `minmax(0, 1fr)`. */
  width?: string;
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Leave out on a telephone screen. */
  wideOnly?: boolean;
}
export interface Sort { field: string; dir: 'asc' | 'desc' }
interface DataListProps<R> {
  /** What the list holds, for screen readers: "Numbers". */
  label: string;
  columns: Column<R>[];
  rows: readonly R[] | undefined;
  rowKey: (row: R) => string | number;
  rowLabel?: (row: R) => string;
  loading?: boolean;
  refusal?: Refusal | null;
  again?: () => void;
  empty: React.ReactNode;
  /** Address of a row: Enter and click go there. Else `onOpen`. */
  href?: (row: R) => string;
  onOpen?: (row: R) => void;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selected?: ReadonlySet<string | number>;
  onSelect?: (selected: Set<string | number>) => void;
  /** By page … */
  paging?: { page: number; perPage: number; total: number; onPage: (page: number) => void };
  /** … or growing while one scrolls. */
  more?: { hasMore: boolean | undefined; load: () => void; loading: boolean };
  comfortable?: boolean;
  /** Rows that stand out: unread. */
  strong?: (row: R) => boolean;
}

/**
 * A list of any length in at most 60 DOM rows, 36 px each. j/k or arrows move, Enter opens, x chooses, Home and End jump.
 */
export function DataList<R>(props: DataListProps<R>) {
  const { label, rows, rowKey, loading, refusal, again, empty, href, onOpen, sort, onSort, selected, onSelect, paging, more, strong } = props;
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const columns = useMemo(() => props.columns.filter((c) => !narrow || !c.wideOnly), [props.columns, narrow]);
  const height = props.comfortable || narrow ? rowHeight.comfortable : rowHeight.dense;
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const list = rows ?? [];
  const count = list.length;
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => height, overscan: 8, getItemKey: (i) => (list[i] === undefined ? i : rowKey(list[i])) });
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => { if (at >= count && count > 0) setAt(count - 1); }, [at, count]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => { if (more?.hasMore && !more.loading && last >= count - 12) more.load(); }, [last, count, more]);

  const focusRow = useCallback((index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    setAt(next);
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  }, [count, virtual]);
  const open = (row: R): void => { if (href) go(href(row)); else onOpen?.(row); };
  const toggle = (row: R): void => {
    const next = new Set(selected);
    if (!next.delete(rowKey(row))) next.add(rowKey(row));
    onSelect?.(next);
  };
  useShortcuts(count === 0 ? [] : [
    { keys: 'j', label: t('Next row'), group: t('Lists'), run: () => focusRow(hasFocus(scroller.current) ? at + 1 : at) },
    { keys: 'k', label: t('Previous row'), group: t('Lists'), run: () => focusRow(hasFocus(scroller.current) ? at - 1 : at) },
  ]);
  const onKey = (e: React.KeyboardEvent): void => {
    if (!(e.target instanceof HTMLElement) || e.target.getAttribute('role') !== 'row') return;
    const row = list[at];
    const does: Record<string, () => void> = {
      ArrowDown: () => focusRow(at + 1), ArrowUp: () => focusRow(at - 1), Home: () => focusRow(0), End: () => focusRow(count - 1),
      PageDown: () => focusRow(at + 10), PageUp: () => focusRow(at - 10), Enter: () => row !== undefined && open(row),
      ...(onSelect && row !== undefined && { x: () => toggle(row), ' ': () => toggle(row) }),
    };
    const act = does[e.key];
    if (act) { e.preventDefault(); act(); }
  };

  const tracks = [...(onSelect ? ['32px'] : []), ...columns.map((c) => c.width ?? 'minmax(0, 1fr)')].join(' ');
  if (refusal && !rows) return <ErrorState refusal={refusal} {...(again && { again })} />;
  if (!loading && rows && count === 0) return <div className={css.empty}>{empty}</div>;
  const chosenAll = count > 0 && list.every((r) => selected?.has(rowKey(r)));
  const clickable = Boolean(href ?? onOpen);

  return (
    <div className={css.root} style={{ '--tracks': tracks, '--height': `${height}px` } as React.CSSProperties}>
      <div ref={scroller} className={css.scroller} role="grid" aria-label={label} aria-rowcount={(paging?.total ?? count) + 1} aria-busy={loading || undefined} onKeyDown={onKey} tabIndex={count === 0 ? 0 : -1}>
        <div role="rowgroup" className={css.headGroup}>
          <div role="row" className={css.head} aria-rowindex={1}>
            {onSelect && <div role="columnheader" className={css.cell}><Checkbox size="xs" aria-label={t('Choose all on this page')} checked={chosenAll} indeterminate={!chosenAll && Boolean(selected?.size)} onChange={() => onSelect(chosenAll ? new Set() : new Set(list.map(rowKey)))} /></div>}
            {columns.map((c) => <Head key={c.key} column={c} {...(sort && { sort })} {...(onSort && { onSort })} />)}
          </div>
        </div>
        {loading && !rows ? (
          <div role="rowgroup">{Array.from({ length: 12 }, (_, i) => <div key={i} role="row" className={css.row}><div role="gridcell" className={css.wait}><Skeleton height={12} width={`${70 - (i % 4) * 11}%`} /></div></div>)}</div>
        ) : (
          <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = list[item.index];
              if (row === undefined) return null;
              const isChosen = selected?.has(rowKey(row)) ?? false;
              return (
                <div key={item.key} role="row" className={css.row} data-index={item.index} data-open={clickable || undefined} data-strong={strong?.(row) || undefined} aria-rowindex={item.index + 2} aria-selected={onSelect ? isChosen : undefined}
                  aria-label={props.rowLabel?.(row)} tabIndex={item.index === at ? 0 : -1} style={{ transform: `translateY(${item.start}px)`, position: 'absolute' }}
                  onFocus={() => setAt(item.index)} onClick={(e) => { if (clickable && !isControl(e.target)) open(row); }}>
                  {onSelect && <div role="gridcell" className={css.cell}><Checkbox size="xs" aria-label={t('Choose {row}', { row: props.rowLabel?.(row) ?? String(rowKey(row)) })} checked={isChosen} onChange={() => toggle(row)} tabIndex={-1} /></div>}
                  {columns.map((c, i) => (
                    <div key={c.key} role="gridcell" className={css.cell} data-align={c.align}>
                      {href && i === 0 ? <a className={css.link} href={href(row)} tabIndex={-1}>{c.cell(row)}</a> : c.cell(row)}
                    </div>
                  ))}
                </div>
              );
            })}
          </div>
        )}
        {more?.loading && <div className={css.wait} aria-hidden><Skeleton height={12} width="40%" /></div>}
      </div>
      {paging && <Paging {...paging} />}
    </div>
  );
}

const hasFocus = (el: HTMLElement | null): boolean => el?.contains(document.activeElement) ?? false;
const isControl = (target: EventTarget): boolean => target instanceof Element && target.closest('a,button,input,label,[role="menuitem"],[role="switch"]') !== null;

function Head<R>({ column, sort, onSort }: { column: Column<R>; sort?: Sort; onSort?: (sort: Sort) => void }) {
  const active = sort?.field === column.key;
  const sorted = active ? (sort.dir === 'asc' ? 'ascending' : 'descending') : undefined;
  if (!column.sortable || !onSort) return <div role="columnheader" className={css.cell} data-align={column.align}>{column.title || <Hidden>{t('Actions')}</Hidden>}</div>;
  return (
    <div role="columnheader" className={css.cell} data-align={column.align} aria-sort={sorted ?? 'none'}>
      <button type="button" className={css.sort} onClick={() => onSort({ field: column.key, dir: active && sort.dir === 'asc' ? 'desc' : 'asc' })}>
        {column.title}
        {active && (sort.dir === 'asc' ? <IconArrowUp size={12} aria-hidden /> : <IconArrowDown size={12} aria-hidden />)}
      </button>
    </div>
  );
}

function Paging({ page, perPage, total, onPage }: NonNullable<DataListProps<unknown>['paging']>) {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const from = total === 0 ? 0 : (page - 1) * perPage + 1;
  return (
    <nav className={css.paging} aria-label={t('Pages')}>
      <span className="tabular">{t('{from}–{to} of {total}', { from: formatNumber(from), to: formatNumber(Math.min(total, page * perPage)), total: formatNumber(total) })}</span>
      {pages > 1 && <Pagination size="sm" total={pages} value={page} onChange={onPage} siblings={1} boundaries={1} getControlProps={(c) => ({ 'aria-label': c === 'next' ? t('Next page') : c === 'previous' ? t('Previous page') : c })} getItemProps={(n) => ({ 'aria-label': t('Page {n}', { n }) })} />}
    </nav>
  );
}
