import { useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation } from '../cache-updates.ts';

export type Selection = ReturnType<typeof useSelection>;

/**
 * The conversations checked in the list. `listKey` identifies the list: a different one starts with
 * none checked.
 */
export function useSelection(rows: readonly Conversation[], listKey: string) {
  const [selected, setSelected] = useState<ReadonlyMap<number, Conversation>>(new Map());
  const lastToggled = useRef<number | null>(null);
  // Each text changes the rows; what is passed to all of them stays.
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => setSelected(new Map()), [listKey]);
  /** `range`: every row between this one and the last toggled one (Shift). */
  const toggle = useCallback(
    (row: Conversation, range: boolean) =>
      setSelected((before) => {
        const next = new Map(before);
        const shown = latest.current;
        const from = shown.findIndex((c) => c.id === lastToggled.current);
        const to = shown.findIndex((c) => c.id === row.id);
        if (range && from >= 0 && to >= 0)
          for (const each of shown.slice(Math.min(from, to), Math.max(from, to) + 1))
            next.set(each.id, each);
        else if (!next.delete(row.id)) next.set(row.id, row);
        lastToggled.current = row.id;
        return next;
      }),
    [],
  );
  return {
    selected,
    toggle,
    clear: () => setSelected(new Map()),
    selectAll: () => setSelected(new Map(rows.map((c) => [c.id, c]))),
  };
}
