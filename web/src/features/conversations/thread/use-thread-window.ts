import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ThreadRow } from './thread-rows.ts';

/** How many rows are in the DOM at once, and by how many the window moves. */
const windowSize = 56,
  windowStep = 20;
const edgePx = 400;

/**
 * Windowed rendering of a thread: at most 56 rows in natural layout, without estimated heights. The
 * visible rows keep their position while rows are added above and below; at the bottom the thread
 * stays at the bottom.
 * @param startAt the key of the row to start at; null: at the bottom
 */
export function useThreadWindow(
  rows: readonly ThreadRow[],
  older: { hasMore: boolean | undefined; more: () => void },
  startAt: string | null,
) {
  const { scroller, content, anchor, restore } = useScrollAnchor();
  const { start, end, hasNewer, ...range } = useRowRange(rows.length);
  const [atBottom, setAtBottom] = useState(true);
  const shown = rows.slice(start, end);
  const jump = useJump(rows, startAt, anchor.set, range.endAt);
  useLayoutEffect(() => {
    restore();
    if (shown.some(({ key }) => jump.isPending(key))) jump.end();
  });

  const onScroll = (): void => {
    const el = scroller.current;
    if (!el || jump.isPending()) return;
    const movedBy = anchor.movedBy(el);
    const below = el.scrollHeight - el.clientHeight - el.scrollTop;
    const isBottom = !hasNewer && below < 32;
    anchor.set(isBottom ? 'bottom' : firstVisibleRow(el));
    setAtBottom(isBottom);
    if (movedBy < 0 && el.scrollTop < edgePx) {
      if (start > 0) range.stepOlder();
      else if (older.hasMore) older.more();
    } else if (movedBy > 0 && below < edgePx && hasNewer) range.stepNewer();
  };
  // Adds older rows to the window while it is scrolled to its top; a short thread fetches until it
  // can scroll.
  useEffect(() => {
    const el = scroller.current;
    if (!el || rows.length === 0) return;
    if (start > 0 && el.scrollTop < edgePx && !anchor.isBottom()) range.stepOlder();
    else if (start === 0 && older.hasMore && el.scrollHeight <= el.clientHeight + 80) older.more();
    // oxlint-disable-next-line exhaustive-deps -- only when rows arrive; `onScroll` follows scrolling
  }, [rows.length]);

  const toBottom = useCallback((): void => {
    jump.end();
    anchor.set('bottom');
    range.toNewest();
    setAtBottom(true);
    requestAnimationFrame(restore);
    // oxlint-disable-next-line exhaustive-deps -- what is used of the objects, which are made anew at each render
  }, [restore, anchor.set, jump.end, range.toNewest]);
  /** Scrolls to one of the loaded rows. */
  const scrollTo = (key: string): void => {
    if (jump.to(key)) setAtBottom(false);
  };
  return { scroller, content, shown, onScroll, atBottom, toBottom, scrollTo };
}

/** Where the thread stays while rows change: at its bottom, or with a row this far below its top. */
type Anchor = 'bottom' | { key: string; top: number };

/** Keeps the anchor in place when the rows or the size of the thread change. */
function useScrollAnchor() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>('bottom');
  const lastTop = useRef(0);
  const restore = useCallback((): void => {
    const el = scroller.current;
    if (!el) return;
    if (anchor.current === 'bottom') el.scrollTop = el.scrollHeight;
    else {
      const { key, top } = anchor.current;
      const row = el.querySelector(`[data-row="${CSS.escape(key)}"]`);
      if (row)
        el.scrollTop += row.getBoundingClientRect().top - el.getBoundingClientRect().top - top;
    }
    lastTop.current = el.scrollTop;
  }, []);
  useLayoutEffect(() => {
    if (!content.current || !scroller.current) return;
    const watch = new ResizeObserver(restore);
    watch.observe(content.current);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, [restore]);
  return {
    scroller,
    content,
    restore,
    anchor: {
      /** Null keeps the anchor. */
      set: useCallback((next: Anchor | null): void => {
        if (next) anchor.current = next;
      }, []),
      isBottom: (): boolean => anchor.current === 'bottom',
      /** Pixels scrolled down since the last call or restore; negative: up. */
      movedBy: (el: HTMLElement): number => {
        const by = el.scrollTop - lastTop.current;
        lastTop.current = el.scrollTop;
        return by;
      },
    },
  };
}

function firstVisibleRow(el: HTMLElement): Anchor | null {
  const { top } = el.getBoundingClientRect();
  for (const row of el.querySelectorAll<HTMLElement>('[data-row]')) {
    const box = row.getBoundingClientRect();
    const key = row.dataset['row'];
    if (key !== undefined && box.bottom > top) return { key, top: box.top - top };
  }
  return null;
}

/** Which of the rows are rendered. */
function useRowRange(count: number) {
  // Counted from the newest row, so that older pages shift nothing.
  const [{ newer, size }, setRange] = useState({ newer: 0, size: windowSize });
  const end = Math.max(0, count - newer),
    start = Math.max(0, end - size);
  const set = (from: number, to: number): void => setRange({ newer: count - to, size: to - from });
  return {
    start,
    end,
    hasNewer: newer > 0,
    stepOlder: (): void => {
      const from = Math.max(0, start - windowStep);
      set(from, Math.min(end, from + windowSize));
    },
    stepNewer: (): void => {
      const to = Math.min(count, end + windowStep);
      set(Math.max(start, to - windowSize), to);
    },
    /** Renders the rows up to this one. */
    endAt: (to: number): void => setRange({ newer: Math.max(0, count - to), size: windowSize }),
    toNewest: useCallback(() => setRange({ newer: 0, size: windowSize }), []),
  };
}

/** Jumps to rows: at first to the one to start at, later to any by its key. */
function useJump(
  rows: readonly ThreadRow[],
  startAt: string | null,
  setAnchor: (anchor: Anchor) => void,
  endAt: (to: number) => void,
) {
  const isStarted = useRef(false);
  /** A jump that isn't rendered yet; scroll events of the old position must not undo it. */
  const pending = useRef<string | null>(null);
  if (!isStarted.current && rows.length > 0) {
    isStarted.current = true;
    const at = rows.findIndex((r) => r.key === startAt);
    if (startAt !== null && at >= 0) {
      setAnchor({ key: startAt, top: 72 });
      endAt(at + windowSize - 8);
    }
  }
  return {
    /** Whether a jump to this row, or any, is not rendered yet. */
    isPending: (key?: string): boolean =>
      key === undefined ? pending.current !== null : pending.current === key,
    end: useCallback((): void => {
      pending.current = null;
    }, []),
    /** False when the row isn't loaded. */
    to: (key: string): boolean => {
      const at = rows.findIndex((r) => r.key === key);
      if (at < 0) return false;
      pending.current = key;
      setAnchor({ key, top: 96 });
      endAt(at + windowSize / 2);
      return true;
    },
  };
}
