import type { Column } from './types.ts';

/**
 * Where a column stays when its list scrolls sideways: the first one of configurable columns, and
 * the last one if it has no title, which holds the row's actions. Undefined: it doesn't stay.
 */
export const pinOf = <R>(
  columns: readonly Pick<Column<R>, 'title'>[],
  index: number,
  { configurable, narrow }: { configurable: boolean; narrow: boolean },
): 'start' | 'end' | undefined =>
  configurable && index === 0
    ? 'start'
    : !narrow && index === columns.length - 1 && columns[index]?.title === ''
      ? 'end'
      : undefined;
