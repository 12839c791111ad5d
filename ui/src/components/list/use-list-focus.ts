import { useCallback, useEffect, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useShortcuts } from '../../shortcuts.ts';
import { t } from '../../i18n.ts';

const hasFocus = (el: HTMLElement | null): boolean => el?.contains(document.activeElement) ?? false;

/**
 * Virtual rows of `height` px and the focused one of them. j and k move, as do the keys handled by
 * `onKey`; `rowActions` adds keys for the focused row.
 */
export function useListFocus<R>(
  list: readonly R[],
  height: number,
  rowKey: (row: R) => string | number,
  rowActions: (row: R) => Record<string, () => void>,
) {
  const count = list.length;
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedIndex, setFocusedIndex] = useState(0);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (i) => (list[i] === undefined ? i : rowKey(list[i])),
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    if (focusedIndex >= count && count > 0) setFocusedIndex(count - 1);
  }, [focusedIndex, count]);
  const focusRow = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(count - 1, index));
      setFocusedIndex(next);
      virtual.scrollToIndex(next);
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
      );
    },
    [count, virtual],
  );
  useStepShortcuts(count, (by) =>
    focusRow(hasFocus(scroller.current) ? focusedIndex + by : focusedIndex),
  );
  const onKey = (e: React.KeyboardEvent): void => {
    if (!(e.target instanceof HTMLElement) || e.target.getAttribute('role') !== 'row') return;
    const row = list[focusedIndex];
    const keyActions: Record<string, () => void> = {
      ArrowDown: () => focusRow(focusedIndex + 1),
      ArrowUp: () => focusRow(focusedIndex - 1),
      Home: () => focusRow(0),
      End: () => focusRow(count - 1),
      PageDown: () => focusRow(focusedIndex + 10),
      PageUp: () => focusRow(focusedIndex - 10),
      Enter: () => {},
      ...(row !== undefined && rowActions(row)),
    };
    const act = keyActions[e.key];
    if (act) {
      e.preventDefault();
      act();
    }
  };
  return { scroller, virtual, focusedIndex, setFocusedIndex, onKey };
}

function useStepShortcuts(count: number, step: (by: 1 | -1) => void): void {
  useShortcuts(
    count === 0
      ? []
      : [
          { keys: 'j', label: t('Next row'), group: t('Lists'), run: () => step(1) },
          { keys: 'k', label: t('Previous row'), group: t('Lists'), run: () => step(-1) },
        ],
  );
}
