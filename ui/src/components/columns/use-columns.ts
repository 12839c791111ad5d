import { useCallback, useMemo, useState } from 'react';
import { listColumnPresets, type ColumnPreset, type PresetEntity } from '#contract/presets';
import { useAsk } from '../../use-ask.ts';
import { useCompanyId, useUser } from '../../session.ts';
import { alike, arranged, type Placed } from './arrange.ts';

/** What a list says to have its columns chosen. `filters`: kept in presets with the sorting, when wanted. `onShown`: told which are shown. */
export interface ColumnsAs {
  list: PresetEntity;
  filters?: Record<string, unknown>;
  onFilters?: (filters: Record<string, unknown>) => void;
  onShown?: (keys: string[]) => void;
}
interface Kept {
  preset: number | null;
  columns: Placed[];
}
export interface Columns<C> {
  /** All, in their order. */
  all: (C & { placed: Placed })[];
  shown: (C & { placed: Placed })[];
  presets: readonly ColumnPreset[];
  /** The preset that the list began with or that was chosen, and whether it was changed since. */
  preset: ColumnPreset | null;
  changed: boolean;
  /** Anything of one's own that "as it comes" would undo. */
  own: boolean;
  arrange: (columns: Placed[]) => void;
  choose: (preset: ColumnPreset | null) => void;
}

const read = (place: string): Kept | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Kept | null;
    return kept && Array.isArray(kept.columns) ? kept : null;
  } catch {
    return null;
  }
};
const placedOf = (preset: ColumnPreset): Placed[] =>
  [...preset.columns]
    .sort((a, b) => a.order - b.order)
    .map(({ key, width, hidden }) => ({ key, width, hidden }));

/** A list's columns as this person has them: changes are kept on this device, presets on the server. */
export function useColumns<
  C extends { key: string; title: string; width?: string; hidden?: boolean },
>(as: ColumnsAs | undefined, columns: readonly C[]): Columns<C> {
  const companyId = useCompanyId();
  const user = useUser();
  const place = `trunkline.columns.${as?.list ?? ''}.${companyId ?? 0}.${user?.id ?? 0}`;
  const { answer } = useAsk(
    listColumnPresets,
    { query: { entity: as?.list ?? null } as never },
    {
      when: as !== undefined && user !== null && 'columnPresets.edit' in user.permissions,
      freshMs: 60_000,
      quiet: true,
    },
  );
  const presets = useMemo(() => (as && answer ? answer.data : []), [as?.list, answer]);
  const [memory, setMemory] = useState(() => ({ place, kept: as ? read(place) : null }));
  const kept = memory.place === place ? memory.kept : as ? read(place) : null;
  const preset = presets.find((p) => (kept ? p.id === kept.preset : p.is_default)) ?? null;
  const layout = useMemo(() => kept?.columns ?? (preset ? placedOf(preset) : null), [kept, preset]);
  const all = useMemo(() => arranged(columns, layout), [columns, layout]);
  const keep = useCallback(
    (next: Kept | null) => {
      if (next) localStorage.setItem(place, JSON.stringify(next));
      else localStorage.removeItem(place);
      setMemory({ place, kept: next });
    },
    [place],
  );
  const now = all.map((c) => c.placed);
  return {
    all,
    shown: all.filter((c) => !c.placed.hidden),
    presets,
    preset,
    own: kept !== null,
    changed:
      kept !== null &&
      (preset === null ||
        !alike(
          now,
          arranged(columns, placedOf(preset)).map((c) => c.placed),
        )),
    arrange: (next) => keep({ preset: preset?.id ?? null, columns: next }),
    choose: (next) => keep(next ? { preset: next.id, columns: placedOf(next) } : null),
  };
}
