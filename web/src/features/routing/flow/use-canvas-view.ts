import { useEffect } from 'react';
import { useReactFlow } from '@xyflow/react';
import type { FlowGraph } from './graph.ts';
import type { Rect } from './layout.ts';

const padding = 24;
/** Waits for boxes that were just added to be measured. */
const settleMs = 30;

/** Milliseconds the canvas takes to move; 0 for people who asked for less motion. */
export const moveDuration = (): number =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 140;

/** Where the drawing starts in an area that size: text keeps its size, so a larger flow is moved, not shrunk. */
function viewOf(
  area: { width: number; height: number },
  places: ReadonlyMap<string, Rect>,
  focus: Rect | undefined,
): { x: number; y: number; zoom: number } {
  const all = [...places.values()];
  const right = Math.max(0, ...all.map((one) => one.x + one.width));
  const bottom = Math.max(0, ...all.map((one) => one.y + one.height));
  const start = places.get('start');
  const center = focus ?? start;
  const fitsX = right + 2 * padding <= area.width;
  const fitsY = bottom + 2 * padding <= area.height;
  const x =
    fitsX || !center ? (area.width - right) / 2 : area.width / 2 - center.x - center.width / 2;
  const focusY = focus ? Math.min(padding, area.height / 2 - focus.y - focus.height / 2) : padding;
  return { x, y: fitsY ? padding : focusY, zoom: 1 };
}

/** Shows the flow, or the selected step, again whenever a step is added or removed. Renaming a step moves nothing. */
export function useCanvasView(
  box: React.RefObject<HTMLDivElement | null>,
  graph: FlowGraph,
  places: ReadonlyMap<string, Rect>,
  selected: string | null,
): void {
  const flow = useReactFlow();
  const shape = graph.steps.map((step) => step.id).join();
  const isReady = flow.viewportInitialized;
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => {
      const area = box.current?.getBoundingClientRect();
      if (!area) return;
      const step = graph.links.find((link) => link.id === selected)?.to ?? selected;
      const view = viewOf(area, places, places.get(step ?? ''));
      void flow.setViewport(view, { duration: moveDuration() });
    }, settleMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line exhaustive-deps -- only when a step is added or removed
  }, [shape, isReady]);
}
