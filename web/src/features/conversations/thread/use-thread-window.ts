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
 */
export function useThreadWindow(
  rows: readonly ThreadRow[],
  older: { hasMore: boolean | undefined; more: () => void },
  startAt: string | null,
) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const anchor = useRef<{ key: string; top: number } | null>(null);
  const lastTop = useRef(0);
  const initialized = useRef(false);
  /** A jump that isn't rendered yet; scroll events of the old position must not undo it. */
  const pendingJump = useRef<string | null>(null);
  /**
   * How many rows below are left out, and how many are shown. Counted from the newest row, so that
   * older pages shift nothing.
   */
  const [frame, setFrame] = useState({ newer: 0, size: windowSize });
  const [atBottom, setAtBottom] = useState(true);
  const hi = Math.max(0, rows.length - frame.newer),
    lo = Math.max(0, hi - frame.size);
  const shown = rows.slice(lo, hi);

  const restoreScroll = useCallback((): void => {
    const el = scroller.current;
    if (!el) return;
    if (pinned.current) el.scrollTop = el.scrollHeight;
    else if (anchor.current) {
      const node = el.querySelector(`[data-row="${CSS.escape(anchor.current.key)}"]`);
      if (node)
        el.scrollTop +=
          node.getBoundingClientRect().top - el.getBoundingClientRect().top - anchor.current.top;
    }
    lastTop.current = el.scrollTop;
  }, []);

  // On the first rows: start at the first unread item, or at the end.
  if (!initialized.current && rows.length > 0) {
    initialized.current = true;
    const at = startAt ? rows.findIndex((r) => r.key === startAt) : -1;
    if (at >= 0) {
      pinned.current = false;
      anchor.current = { key: startAt!, top: 72 };
      const newer = Math.max(0, rows.length - at - windowSize + 8);
      if (newer > 0) setFrame({ newer, size: windowSize });
    }
  }
  useLayoutEffect(() => {
    restoreScroll();
    if (pendingJump.current && shown.some((r) => r.key === pendingJump.current))
      pendingJump.current = null;
  });
  useLayoutEffect(() => {
    if (!content.current || !scroller.current) return;
    const watch = new ResizeObserver(restoreScroll);
    watch.observe(content.current);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, [restoreScroll]);

  const onScroll = useCallback((): void => {
    const el = scroller.current;
    if (!el || pendingJump.current) return;
    const up = el.scrollTop < lastTop.current,
      down = el.scrollTop > lastTop.current;
    lastTop.current = el.scrollTop;
    const below = el.scrollHeight - el.clientHeight - el.scrollTop;
    const isBottom = frame.newer === 0 && below < 32;
    pinned.current = isBottom;
    setAtBottom(isBottom);
    const top = el.getBoundingClientRect().top;
    for (const node of el.querySelectorAll<HTMLElement>('[data-row]')) {
      const box = node.getBoundingClientRect();
      if (box.bottom > top) {
        anchor.current = { key: node.dataset['row']!, top: box.top - top };
        break;
      }
    }
    if (up && el.scrollTop < edgePx) {
      if (lo > 0) {
        const first = Math.max(0, lo - windowStep),
          end = Math.min(hi, first + windowSize);
        setFrame({ newer: rows.length - end, size: end - first });
      } else if (older.hasMore) older.more();
    } else if (down && below < edgePx && frame.newer > 0) {
      const end = Math.min(rows.length, hi + windowStep),
        first = Math.max(0, Math.max(lo, end - windowSize));
      setFrame({ newer: rows.length - end, size: end - first });
    }
  }, [frame.newer, lo, hi, rows.length, older.hasMore, older.more]);

  // Adds older rows to the window while it is scrolled to its top; a short thread fetches until it
  // can scroll.
  useEffect(() => {
    const el = scroller.current;
    if (!el || rows.length === 0) return;
    if (lo > 0 && el.scrollTop < edgePx && !pinned.current) {
      const first = Math.max(0, lo - windowStep),
        end = Math.min(hi, first + windowSize);
      setFrame({ newer: rows.length - end, size: end - first });
    } else if (lo === 0 && older.hasMore && el.scrollHeight <= el.clientHeight + 80) older.more();
    // Only when rows arrive; scrolling has its own hand above.
  }, [rows.length]); // eslint-disable-line

  /** Scrolls to the newest row. */
  const toBottom = useCallback((): void => {
    pendingJump.current = null;
    pinned.current = true;
    setFrame({ newer: 0, size: windowSize });
    setAtBottom(true);
    requestAnimationFrame(restoreScroll);
  }, [restoreScroll]);

  /** Scrolls to one of the loaded rows. */
  const show = useCallback(
    (key: string): void => {
      const at = rows.findIndex((r) => r.key === key);
      if (at < 0) return;
      pendingJump.current = key;
      pinned.current = false;
      anchor.current = { key, top: 96 };
      setFrame({ newer: Math.max(0, rows.length - at - windowSize / 2), size: windowSize });
      setAtBottom(false);
    },
    [rows],
  );

  return {
    show,
    scroller,
    content,
    shown,
    look: onScroll,
    atBottom,
    toBottom,
    settle: restoreScroll,
  };
}
