import type { FlowGraph, FlowStep } from './graph.ts';

/** Our own small layered layout: columns left to right by depth, one band a route, what happens when closed below it; what every caller meets stands down the first column. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const stepWidth = 184;
const [columnGap, rowGap, bandGap, rowHeight] = [60, 44, 28, 22];
const columnRowGap = 52;
/** Menus name their keys between the first column and the routes. */
const firstGap = 44;
const maxRows = 6;

/** Pixels; long lists of destinations are cut and say so. */
export const stepHeight = (step: FlowStep): number =>
  60 + (step.rows.length === 0 ? 0 : 6 + Math.min(step.rows.length, maxRows + 1) * rowHeight);
export const shownRows = (step: FlowStep): { rows: FlowStep['rows']; more: number } => ({
  rows: step.rows.slice(0, maxRows),
  more: Math.max(0, step.rows.length - maxRows),
});

export function layOut({ steps }: FlowGraph): Map<string, Rect> {
  const places = new Map<string, Rect>();
  const place = (step: FlowStep, y: number): void =>
    void places.set(step.id, {
      x: step.depth * (stepWidth + columnGap) + (step.depth > 0 ? firstGap : 0),
      y,
      width: stepWidth,
      height: stepHeight(step),
    });
  const bands = [...new Set(steps.flatMap((step) => step.route ?? []))];
  let top = 0;
  for (const band of bands) {
    const mine = steps.filter((step) => step.route === band);
    const main = mine.filter((step) => step.kind !== 'after');
    const tallest = Math.max(...main.map(stepHeight));
    for (const step of main) place(step, top + (tallest - stepHeight(step)) / 2);
    // Below the step it follows, wherever the main row's boxes leave room.
    for (const step of mine) if (step.kind === 'after') place(step, top + tallest + rowGap);
    top +=
      tallest +
      (mine.some((step) => step.kind === 'after') ? rowGap + 60 : 0) +
      bandGap +
      rowGap / 2;
  }
  // What every caller meets stands in the first column, one below the other.
  const general = steps.filter((step) => step.route === null && step.depth === 0);
  const tall =
    general.reduce((sum, step) => sum + stepHeight(step), 0) + columnRowGap * (general.length - 1);
  let y = Math.max(0, (top - bandGap - rowGap / 2 - tall) / 2);
  const start = y;
  for (const step of general) {
    place(step, y);
    y += stepHeight(step) + columnRowGap;
  }
  for (const step of steps)
    if (step.route === null && step.depth > 0) place(step, step.id === 'nobody' ? top : start);
  return places;
}
