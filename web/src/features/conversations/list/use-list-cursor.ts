import { useEffect, useRef, useState } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';
import { navigate } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { conversationHref, inboxHref } from './use-inbox.ts';

export type ListCursor = ReturnType<typeof useListCursor>;

/** The row under the keyboard cursor, and where the cursor moves when rows leave the list. */
export function useListCursor({
  rows,
  openId,
  narrow,
  scroller,
  virtual,
}: {
  rows: readonly Conversation[];
  openId: number | null;
  narrow: boolean;
  scroller: React.RefObject<HTMLDivElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
}) {
  const [cursorId, setCursorId] = useState<number | null>(openId);
  useEffect(() => {
    if (openId !== null) setCursorId(openId);
  }, [openId]);
  const orderBefore = useOrderBeforeReply(rows, cursorId);
  const index = rows.findIndex((c) => c.id === cursorId);
  const isInList = (): boolean => scroller.current?.contains(document.activeElement) ?? false;
  const focus = (id: number): void =>
    void requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`a[data-id="${id}"]`)
        ?.focus({ preventScroll: true }),
    );
  const moveTo = (target: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, target))];
    if (!row) return;
    setCursorId(row.id);
    virtual.scrollToIndex(rows.indexOf(row));
    focus(row.id);
  };
  /**
   * Moves to the nearest remaining row, and opens it if the open conversation is leaving the list.
   */
  const leave = (leaving: readonly Conversation[]): void => {
    const leavingIds = new Set(leaving.map((c) => c.id));
    const staying = rows.filter((c) => !leavingIds.has(c.id));
    const order = orderBefore() ?? rows.map((c) => c.id);
    const from = order.indexOf(cursorId ?? -1);
    const after = order.slice(from + 1);
    const before = order.slice(0, Math.max(0, from)).reverse();
    const nearest = [...after, ...before].find((id) => staying.some((c) => c.id === id));
    const next = staying.find((c) => c.id === nearest) ?? staying[0];
    if (next) setCursorId(next.id);
    if (openId !== null && leavingIds.has(openId))
      navigate(next && !narrow ? conversationHref(next.id) : inboxHref());
    else if (next && isInList()) focus(next.id);
  };
  return { index, setCursorId, isInList, moveTo, leave };
}

/**
 * A reply moves a conversation to the top. Users who work through the list continue from its old
 * position, so the order before the reply is kept. Null when the cursor has moved since.
 */
function useOrderBeforeReply(
  rows: readonly Conversation[],
  cursorId: number | null,
): () => readonly number[] | null {
  const kept = useRef<{ id: number; activity: string; order: readonly number[] } | null>(null);
  useEffect(() => {
    const row = rows.find((c) => c.id === cursorId);
    if (row && (kept.current?.id !== row.id || kept.current.activity === row.lastActivityAt))
      kept.current = { id: row.id, activity: row.lastActivityAt, order: rows.map((c) => c.id) };
  }, [rows, cursorId]);
  return () => (kept.current?.id === cursorId ? kept.current.order : null);
}
