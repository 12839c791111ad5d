import { useEffect } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { useColumns } from '../columns/use-columns.ts';
import type { Column, DataListProps } from './types.ts';

/**
 * The columns a list shows. `configurable`: they can be chosen; phones have no room for that and
 * show the default columns.
 */
export function useListColumns<R>(props: Pick<DataListProps<R>, 'columns' | 'columnPresets'>) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const presetOptions =
    typeof props.columnPresets === 'string' ? { list: props.columnPresets } : props.columnPresets;
  const columnState = useColumns(presetOptions, props.columns);
  const configurable = presetOptions !== undefined && !narrow;
  const columns: Column<R>[] = configurable
    ? columnState.visible
    : props.columns.filter((c) => !c.hidden && (!narrow || !c.wideOnly));
  const shownKeys = columnState.visible.map((c) => c.key).join(' ');
  // oxlint-disable-next-line exhaustive-deps -- told when the columns change, not when the function does
  useEffect(() => presetOptions?.onVisibleColumns?.(shownKeys.split(' ')), [shownKeys]);
  const resize = configurable
    ? (key: string, width: number | null): void =>
        columnState.arrange(
          columnState.all.map(({ placed }) => (placed.key === key ? { ...placed, width } : placed)),
        )
    : undefined;
  return {
    narrow,
    columns,
    columnState,
    /** The presets' options while columns can be chosen. */
    chooser: configurable ? presetOptions : undefined,
    configurable,
    resize,
  };
}

/** Least width in px of a column that gives way to the others, so that it never vanishes. */
const LEAST = { first: 140, other: 88 } as const;

/**
 * The grid tracks of the columns, and the width in px below which the list scrolls sideways. Phones
 * show few columns and squeeze them instead.
 */
export function gridTracks(
  columns: readonly { width?: string }[],
  { narrow, configurable }: { narrow: boolean; configurable: boolean },
  selectable: boolean,
): { tracks: string; minWidth: number } {
  const tracks = [
    ...(selectable ? ['32px'] : []),
    ...columns.map(({ width = 'minmax(0, 1fr)' }, i) =>
      narrow ? width : widenTrack(width, i === 0 ? LEAST.first : LEAST.other),
    ),
    ...(configurable ? ['20px'] : []),
  ];
  const minWidth = narrow
    ? 0
    : tracks.reduce((sum, track) => sum + Number(/(\d+)px/.exec(track)?.[1] ?? 0) + 12, 12);
  return { tracks: tracks.join(' '), minWidth };
}

const widenTrack = (track: string, least: number): string =>
  track
    .replace(/^minmax\(0,/, `minmax(${least}px,`)
    .replace(/^\d*\.?\d+fr$/, `minmax(${least}px, $&)`);
