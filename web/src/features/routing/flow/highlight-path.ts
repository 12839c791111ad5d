import type { routing } from '#contract';
import type { Draft, DraftRoute } from '../draft.ts';
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
  let closed = false;
  let last: string | null = null;
  const visited: string[] = [];
  for (const line of lines) {
    const route = draft.routes.find((one) => one.extension === line.extension);
    if (line.node === 'route') closed = false;
    if (line.node === 'hours') closed = !line.matched || line.rule === 'after hours';
    const id = stepOfLine(line, { route, closed, last, known });
    if (id !== null && line.target !== null && line.matched && isAboutDestination(line))
      highlight.rows.add(`${id}|${line.target}`);
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
  highlight.links = linksBetween(visited, graph);
  return highlight;
}

interface CallPosition {
  route: DraftRoute | undefined;
  /** The route is closed, so the caller follows its after-hours steps. */
  closed: boolean;
  /** The step of the line before. */
  last: string | null;
  /** IDs of the graph's steps. */
  known: ReadonlySet<string>;
}

/** The ID of a line's step; null when the graph has none for it. */
function stepOfLine(line: SimulationLine, call: CallPosition): string | null {
  const { route, closed, last, known } = call;
  const key = route?.key;
  const first = (...ids: (string | null | undefined)[]): string | null =>
    ids.find((id): id is string => typeof id === 'string' && known.has(id)) ?? null;
  switch (line.node) {
    case 'start':
    case 'screen':
      return line.node;
    case 'menu':
      return first('menu');
    case 'route':
      return first(`route:${key}`, 'none');
    case 'hours':
      return line.rule === 'after hours'
        ? first(`after:${key}`, `hours:${key}`)
        : first(`hours:${key}`, `route:${key}`);
    case 'voicemail':
    case 'message':
      if (closed) return first(`after:${key}`, `end:${key}`, 'nobody', 'none');
      return key === undefined ? first('nobody', 'none') : first(`end:${key}`);
    case 'end':
    case 'announcement':
      return last;
    default: {
      if (closed) return first(`after:${key}`);
      if (line.node === 'connect') return last;
      const forward = route?.forwards.find((one) => keyOfForward(one) === line.target);
      return first(forward && `ring:${key}:${forward.key}`, `ring:${key}`, last);
    }
  }
}

const nodesWithoutDestination: readonly string[] = [
  'start',
  'screen',
  'menu',
  'route',
  'hours',
  'voicemail',
  'message',
  'end',
  'announcement',
];
const isAboutDestination = (line: SimulationLine): boolean =>
  !nodesWithoutDestination.includes(line.node);

/** The links a caller followed: each from the step before, else from any step visited before. */
function linksBetween(visited: readonly string[], graph: FlowGraph): Set<string> {
  const followed = visited.slice(1).flatMap((to, before) => {
    const link =
      graph.links.find((one) => one.from === visited[before] && one.to === to) ??
      graph.links.find((one) => one.to === to && visited.slice(0, before + 1).includes(one.from));
    return link === undefined ? [] : [link.id];
  });
  return new Set(followed);
}
