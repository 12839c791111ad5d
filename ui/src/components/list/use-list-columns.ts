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

/** The grid tracks of the columns, and the width in px below which the list scrolls sideways. */
export function gridTracks(
  columns: readonly { width?: string }[],
  configurable: boolean,
  selectable: boolean,
): { tracks: string; minWidth: number } {
  const tracks = [
    ...(selectable ? ['32px'] : []),
    ...columns.map((c, i) => widenTrack(c.width ?? 'minmax(0, 1fr)', configurable, i === 0)),
    ...(configurable ? ['20px'] : []),
  ].join(' ');
  // At least as wide as its columns, so that the first one can stay in view on horizontal scroll.
  const minWidth = !configurable
    ? 0
    : tracks
        .split(/ (?![^(]*\))/)
        .reduce((sum, track) => sum + Number(/(\d+)px/.exec(track)?.[1] ?? 0) + 12, 12);
  return { tracks, minWidth };
}

/**
 * Keeps a minimum width per configurable column; the list scrolls horizontally instead of squeezing
 * them.
 */
const widenTrack = (track: string, choosable: boolean, first: boolean): string =>
  choosable ? track.replace(/^minmax\(0,/, `minmax(${first ? 140 : 88}px,`) : track;
