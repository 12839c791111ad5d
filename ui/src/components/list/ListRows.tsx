import { Checkbox, Skeleton } from '@mantine/core';
import type { VirtualItem } from '@tanstack/react-virtual';
import { t } from '../../i18n.ts';
import { pinOf } from './pin-of.ts';
import type { Column, DataListProps } from './types.ts';
import css from '../DataList.module.css';

interface RowProps<R> {
  list: Pick<DataListProps<R>, 'href' | 'rowKey' | 'rowLabel' | 'emphasized'>;
  row: R;
  item: VirtualItem;
  columns: readonly Column<R>[];
  configurable: boolean;
  narrow: boolean;
  focused: boolean;
  onFocus: () => void;
  /** Undefined: rows can't be opened. */
  open: ((row: R) => void) | undefined;
  selected: boolean;
  /** Undefined: rows can't be selected. */
  toggle: ((row: R) => void) | undefined;
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest('a,button,input,label,[role="menuitem"],[role="switch"]') !== null;

/** One row of a list: its checkbox when rows can be selected, and a cell per column. */
export function ListRow<R>(props: RowProps<R>) {
  const { list, row, item, open, toggle } = props;
  return (
    <div
      role="row"
      className={css.row}
      data-index={item.index}
      data-open={open ? true : undefined}
      data-strong={list.emphasized?.(row) || undefined}
      aria-rowindex={item.index + 2}
      aria-selected={toggle ? props.selected : undefined}
      aria-label={list.rowLabel?.(row)}
      tabIndex={props.focused ? 0 : -1}
      style={{ transform: `translateY(${item.start}px)`, position: 'absolute' }}
      onFocus={props.onFocus}
      onClick={(e) => {
        if (!isControl(e.target)) open?.(row);
      }}
    >
      {toggle && (
        <div
          role="gridcell"
          className={css.cell}
          data-pinned={props.configurable ? 'box' : undefined}
        >
          <Checkbox
            size="xs"
            aria-label={t('Select {row}', {
              row: list.rowLabel?.(row) ?? String(list.rowKey(row)),
            })}
            checked={props.selected}
            onChange={() => toggle(row)}
            tabIndex={-1}
          />
        </div>
      )}
      <Cells {...props} />
    </div>
  );
}

/** One cell per column; the first one is the link of a row that opens a page. */
function Cells<R>({ list, row, columns, configurable, narrow }: RowProps<R>) {
  return columns.map((c, i) => (
    <div
      key={c.key}
      role="gridcell"
      className={css.cell}
      data-align={c.align}
      data-pinned={pinOf(columns, i, { configurable, narrow })}
    >
      {list.href && i === 0 ? (
        <a className={css.link} href={list.href(row)} tabIndex={-1}>
          {c.cell(row)}
        </a>
      ) : (
        c.cell(row)
      )}
    </div>
  ));
}

/** Placeholders of the first load. */
export const LoadingRows = () => (
  <div role="rowgroup">
    {Array.from({ length: 12 }, (_, i) => (
      <div key={i} role="row" className={css.row}>
        <div role="gridcell" className={css.wait}>
          <Skeleton height={12} width={`${70 - (i % 4) * 11}%`} />
        </div>
      </div>
    ))}
  </div>
);
