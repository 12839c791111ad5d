import { useRef } from 'react';
import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { t } from '../../i18n.ts';
import { Hidden } from '../VisuallyHidden.tsx';
import { pinOf } from './pin-of.ts';
import type { Column, Sort } from './types.ts';
import css from '../DataList.module.css';

interface HeaderProps<R> {
  columns: readonly Column<R>[];
  configurable: boolean;
  narrow: boolean;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
  resize: ((key: string, width: number | null) => void) | undefined;
  /** The checkbox that selects all rows of the page; without it, rows can't be selected. */
  selection: { all: boolean; some: boolean; onToggle: () => void } | undefined;
}

/** The list's header row: sorting, column widths and "Select all". */
export function ListHeader<R>({
  columns,
  configurable,
  narrow,
  sort,
  onSort,
  resize,
  selection,
}: HeaderProps<R>) {
  return (
    <div role="rowgroup" className={css.headGroup}>
      <div role="row" className={css.head} aria-rowindex={1}>
        {selection && (
          <div
            role="columnheader"
            className={css.cell}
            data-pinned={configurable ? 'box' : undefined}
          >
            <Checkbox
              size="xs"
              aria-label={t('Select all on this page')}
              checked={selection.all}
              indeterminate={!selection.all && selection.some}
              onChange={selection.onToggle}
            />
          </div>
        )}
        {columns.map((c, i) => (
          <HeaderCell
            key={c.key}
            column={c}
            pinned={pinOf(columns, i, { configurable, narrow })}
            {...(sort && { sort })}
            {...(onSort && { onSort })}
            {...(resize && { resize })}
          />
        ))}
      </div>
    </div>
  );
}

function HeaderCell<R>({
  column,
  pinned,
  sort,
  onSort,
  resize,
}: {
  column: Column<R>;
  pinned: ReturnType<typeof pinOf>;
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
        data-pinned={pinned}
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
      data-pinned={pinned}
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
        const header = e.currentTarget.parentElement;
        if (header) from.current = { x: e.clientX, width: header.getBoundingClientRect().width };
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
