import { useEffect, useRef, useState } from 'react';
import type { Draft } from '../draft.ts';

export interface History {
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  /** Forgets every step; the given draft is the new start. */
  reset: (from: Draft) => void;
}

/** Typing without a longer pause is one step; adding, removing or switching something is always a step of its own. */
const pauseMs = 600;
const shapeOf = (draft: Draft): string =>
  JSON.stringify(draft, (_, value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? '' : value,
  );

/** Undo and redo over a form's values, up to 100 steps. `apply` writes a draft into the form. */
export function useHistory(now: Draft, apply: (draft: Draft) => void): History {
  const past = useRef<Draft[]>([]);
  const future = useRef<Draft[]>([]);
  const known = useRef(now);
  const changedAt = useRef(0);
  const [, tick] = useState(0);
  const text = JSON.stringify(now);
  useEffect(() => {
    if (text === JSON.stringify(known.current)) return;
    const at = performance.now();
    if (
      at - changedAt.current > pauseMs ||
      past.current.length === 0 ||
      shapeOf(now) !== shapeOf(known.current)
    )
      past.current = [...past.current.slice(-99), known.current];
    changedAt.current = at;
    future.current = [];
    known.current = now;
    tick((n) => n + 1);
    // oxlint-disable-next-line exhaustive-deps -- `text` is the draft `now`
  }, [text]);
  const move = (from: React.RefObject<Draft[]>, to: React.RefObject<Draft[]>): void => {
    const draft = from.current.at(-1);
    if (draft === undefined) return;
    from.current = from.current.slice(0, -1);
    to.current = [...to.current, known.current];
    known.current = draft;
    changedAt.current = 0;
    apply(draft);
    tick((n) => n + 1);
  };
  return {
    undo: () => move(past, future),
    redo: () => move(future, past),
    canUndo: past.current.length > 0,
    canRedo: future.current.length > 0,
    reset: (from) => {
      [past.current, future.current, known.current] = [[], [], from];
      tick((n) => n + 1);
    },
  };
}
