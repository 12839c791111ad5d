import { useCallback, useMemo, useState } from 'react';
import { listColumnPresets } from '#contract/fields/presets/endpoints';
import type { ColumnPreset } from '#contract/fields/presets/schemas';
import type { PresetEntity } from '#contract/fields/presets/rules';
import { useApiQuery } from '../../use-api.ts';
import { useCompanyId, useUser } from '../../session.ts';
import { sameLayout, arrangeColumns, type ColumnLayout } from './arrange.ts';

/**
 * Options of configurable columns. `filters`: optionally saved in presets with the sorting.
 * `onVisibleColumns`: receives the visible columns.
 */
export interface ColumnPresetOptions {
  list: PresetEntity;
  filters?: Record<string, unknown>;
  onFilters?: (filters: Record<string, unknown>) => void;
  onVisibleColumns?: (keys: string[]) => void;
}
interface StoredColumns {
  preset: number | null;
  columns: ColumnLayout[];
}
export interface ColumnState<C> {
  /** All columns, in order. */
  all: (C & { placed: ColumnLayout })[];
  visible: (C & { placed: ColumnLayout })[];
  presets: readonly ColumnPreset[];
  /** The initial or selected preset, and whether it was changed since. */
  preset: ColumnPreset | null;
  changed: boolean;
  /** Whether the layout differs from the default. */
  isCustom: boolean;
  arrange: (columns: ColumnLayout[]) => void;
  choosePreset: (preset: ColumnPreset | null) => void;
}

const readStored = (place: string): StoredColumns | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as StoredColumns | null;
    return kept && Array.isArray(kept.columns) ? kept : null;
  } catch {
    return null;
  }
};
const layoutOfPreset = (preset: ColumnPreset): ColumnLayout[] =>
  [...preset.columns]
    .sort((a, b) => a.order - b.order)
    .map(({ key, width, hidden }) => ({ key, width, hidden }));

/** A person's columns of a list: changes are stored on this device, presets on the server. */
export function useColumns<
  C extends { key: string; title: string; width?: string; hidden?: boolean },
>(as: ColumnPresetOptions | undefined, columns: readonly C[]): ColumnState<C> {
  const companyId = useCompanyId();
  const user = useUser();
  const place = `trunkline.columns.${as?.list ?? ''}.${companyId ?? 0}.${user?.id ?? 0}`;
  const { response } = useApiQuery(
    listColumnPresets,
    { query: { entity: as?.list ?? null } },
    {
      enabled: as !== undefined && user !== null && 'columnPresets.edit' in user.permissions,
      staleTime: 60_000,
      silent: true,
    },
  );
  // oxlint-disable-next-line exhaustive-deps -- the list is what differs, its options are made anew at each render
  const presets = useMemo(() => (as && response ? response.data : []), [as?.list, response]);
  const [memory, setMemory] = useState(() => ({ place, kept: as ? readStored(place) : null }));
  const kept = memory.place === place ? memory.kept : as ? readStored(place) : null;
  const preset = presets.find((p) => (kept ? p.id === kept.preset : p.is_default)) ?? null;
  const layout = useMemo(
    () => kept?.columns ?? (preset ? layoutOfPreset(preset) : null),
    [kept, preset],
  );
  const all = useMemo(() => arrangeColumns(columns, layout), [columns, layout]);
  const keep = useCallback(
    (next: StoredColumns | null) => {
      if (next) localStorage.setItem(place, JSON.stringify(next));
      else localStorage.removeItem(place);
      setMemory({ place, kept: next });
    },
    [place],
  );
  const now = all.map((c) => c.placed);
  return {
    all,
    visible: all.filter((c) => !c.placed.hidden),
    presets,
    preset,
    isCustom: kept !== null,
    changed:
      kept !== null &&
      (preset === null ||
        !sameLayout(
          now,
          arrangeColumns(columns, layoutOfPreset(preset)).map((c) => c.placed),
        )),
    arrange: (next) => keep({ preset: preset?.id ?? null, columns: next }),
    choosePreset: (next) => keep(next ? { preset: next.id, columns: layoutOfPreset(next) } : null),
  };
}
