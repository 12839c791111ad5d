import type { SortDirection } from '#contract/sort-direction';
import type { ApiError } from '../../api.ts';
import type { ColumnPresetOptions } from '../columns/use-columns.ts';
import type { PagingProps } from '../Paging.tsx';

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
  dir: SortDirection;
}
export interface DataListProps<R> {
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
