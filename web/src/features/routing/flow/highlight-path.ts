import type { routing } from '#contract';
import type { Draft } from '../draft.ts';
import type { FlowGraph } from './graph.ts';
import { keyOfForward } from './step-text.ts';

export interface PathHighlight {
  /** Step id → the reasons given there, in order. */
  steps: Map<string, string[]>;
  links: Set<string>;
  /** Reasons by `step id|destination key`, for destinations inside a step. */
  rows: Set<string>;
  /** The step id of each line of the simulation. */
  stepByLine: (string | null)[];
}

type SimulationLine = routing.SimulationAnswer['steps'][number];

/** Finds the step of each line of a simulated call. */
export function highlightPath(
  lines: readonly SimulationLine[],
  graph: FlowGraph,
  draft: Draft,
): PathHighlight {
  const highlight: PathHighlight = {
    steps: new Map(),
    links: new Set(),
    rows: new Set(),
    stepByLine: [],
  };
  const known = new Set(graph.steps.map((step) => step.id));
  const first = (...ids: (string | null | undefined)[]): string | null =>
    ids.find((id): id is string => typeof id === 'string' && known.has(id)) ?? null;
  let closed = false;
  let last: string | null = null;
  const visited: string[] = [];
  for (const line of lines) {
    const route = draft.routes.find((one) => one.extension === line.extension);
    const key = route?.key;
    if (line.node === 'route') closed = false;
    if (line.node === 'hours') closed = !line.matched || line.rule === 'after hours';
    let id: string | null;
    if (line.node === 'start') id = 'start';
    else if (line.node === 'screen') id = 'screen';
    else if (line.node === 'menu') id = first('menu');
    else if (line.node === 'route') id = first(`route:${key}`, 'none');
    else if (line.node === 'hours')
      id =
        line.rule === 'after hours'
          ? first(`after:${key}`, `hours:${key}`)
          : first(`hours:${key}`, `route:${key}`);
    else if (line.node === 'voicemail' || line.node === 'message')
      id = closed
        ? first(`after:${key}`, `end:${key}`, 'nobody', 'none')
        : key === undefined
          ? first('nobody', 'none')
          : first(`end:${key}`);
    else if (line.node === 'end' || line.node === 'announcement') id = last;
    else {
      const forward = route?.forwards.find((one) => keyOfForward(one) === line.target);
      id = closed
        ? first(`after:${key}`)
        : line.node === 'connect'
          ? last
          : first(forward && `ring:${key}:${forward.key}`, `ring:${key}`, last);
      if (id !== null && line.target !== null && line.matched)
        highlight.rows.add(`${id}|${line.target}`);
    }
    highlight.stepByLine.push(id);
    if (id === null) continue;
    // The outcome already tells how it ended; don't repeat it at the last step.
    highlight.steps.set(id, [
      ...(highlight.steps.get(id) ?? []),
      ...(line.node === 'end' ? [] : [line.because]),
    ]);
    if (id !== last) visited.push(id);
    last = id;
  }
  // Any later step means the caller passed the screening.
  if (visited[0] === 'start' && visited.length > 1 && visited[1] !== 'screen') {
    highlight.steps.set('screen', []);
    visited.splice(1, 0, 'screen');
  }
  for (const [i, to] of visited.entries()) {
    const link =
      graph.links.find((one) => one.from === visited[i - 1] && one.to === to) ??
      graph.links.find(
        (one) =>
          one.to === to && highlight.steps.has(one.from) && i > 0 && visited.indexOf(one.from) < i,
      );
    if (link !== undefined && i > 0) highlight.links.add(link.id);
  }
  return highlight;
}
