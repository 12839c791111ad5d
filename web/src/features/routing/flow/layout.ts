import type { FlowGraph, FlowLink, FlowStep } from './graph.ts';

/**
 * Top-down layout of a call flow, in pixels at zoom 1. Steps every caller passes come first, one below the other. Below
 * them each route is a column of its own; what happens when it's closed stands to the right of that column.
 */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** How a link is drawn: the side it leaves from (it always enters from the top) and the center of its label. */
interface LinkPlace {
  leaves: 'bottom' | 'right';
  label: { x: number; y: number };
}
export interface Layout {
  steps: Map<string, Rect>;
  links: Map<string, LinkPlace>;
}

const stepWidth = 196;
const rowGap = 46;
const columnGap = 28;
const routeGap = 44;
const rowHeight = 24;
const maxRows = 6;
/** Distance of a label's center from the step it leads to, or from the side it leaves. */
const labelOffset = 14;

/** Long lists of destinations are cut and show how many more there are. */
export const shownRows = (step: FlowStep): { rows: FlowStep['rows']; more: number } => ({
  rows: step.rows.slice(0, maxRows),
  more: Math.max(0, step.rows.length - maxRows),
});
const stepHeight = (step: FlowStep): number =>
  60 + (step.rows.length === 0 ? 0 : 6 + Math.min(step.rows.length, maxRows + 1) * rowHeight);

/** Width of a link's label at 12 px type, rounded up. */
export const labelWidth = (link: FlowLink): number => 16 + link.label.length * 7;

/** A link into a route from another route: it needs room for its label beside the step it leaves. */
const isJump = (link: FlowLink): boolean =>
  link.to.startsWith('route:') && /^(hours|ring):/.test(link.from);

/** Places steps one below the other; answers the y below the last one, its gap included. */
function stack(
  steps: readonly FlowStep[],
  x: number,
  top: number,
  places: Map<string, Rect>,
): number {
  return steps.reduce((y, step) => {
    const height = stepHeight(step);
    places.set(step.id, { x, y, width: stepWidth, height });
    return y + height + rowGap;
  }, top);
}

/** Places one route's column and the step for closed hours beside it; answers the column's width. */
function placeRoute(
  { steps, links }: FlowGraph,
  column: readonly FlowStep[],
  x: number,
  top: number,
  places: Map<string, Rect>,
): number {
  const main = column.filter((step) => step.kind !== 'after');
  const after = column.find((step) => step.kind === 'after');
  stack(main, x, top, places);
  if (after) {
    const from = places.get(links.find((link) => link.to === after.id)?.from ?? '');
    const y = from ? from.y + from.height + rowGap : top;
    stack([after], x + stepWidth + columnGap, y, places);
    return 2 * stepWidth + columnGap;
  }
  const ids = new Set(steps.filter((step) => column.includes(step)).map((step) => step.id));
  const jumps = links.filter((link) => ids.has(link.from) && isJump(link));
  return stepWidth + Math.max(0, ...jumps.map((link) => labelWidth(link) + labelOffset));
}

function placeLink(link: FlowLink, places: ReadonlyMap<string, Rect>): LinkPlace | null {
  const from = places.get(link.from);
  const to = places.get(link.to);
  if (!from || !to) return null;
  const fromSide = isJump(link) || link.to.startsWith('after:');
  const label = isJump(link)
    ? {
        x: from.x + from.width + labelOffset + labelWidth(link) / 2,
        y: from.y + from.height / 2,
      }
    : { x: to.x + to.width / 2, y: to.y - labelOffset };
  return { leaves: fromSide ? 'right' : 'bottom', label };
}

/** The place of every step and link of a call flow. */
export function layOut(graph: FlowGraph): Layout {
  const places = new Map<string, Rect>();
  // Shared steps have no route; those after them (no routes yet, no key pressed) get columns like routes.
  const isShared = (step: FlowStep): boolean => step.route === null && step.kind !== 'end';
  const shared = graph.steps.filter(isShared);
  const columns = [...new Set(graph.steps.filter((step) => !isShared(step)).map(columnOf))];
  const top = stack(shared, 0, 0, places);
  let x = 0;
  for (const key of columns) {
    const column = graph.steps.filter((step) => !isShared(step) && columnOf(step) === key);
    x += placeRoute(graph, column, x, top, places) + routeGap;
  }
  const middle = Math.max(0, (x - routeGap - stepWidth) / 2);
  for (const step of shared) {
    const place = places.get(step.id);
    if (place) places.set(step.id, { ...place, x: middle });
  }
  const links = graph.links.flatMap((link): [string, LinkPlace][] => {
    const place = placeLink(link, places);
    return place ? [[link.id, place]] : [];
  });
  return { steps: places, links: new Map(links) };
}

const columnOf = (step: FlowStep): string => step.route ?? step.id;
