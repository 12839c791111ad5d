import { sharesByWeight } from './shares.ts';

/** Ways to a call, or to none, that took the same sources. */
export interface Journey {
  /** In their order; at least one. */
  sources: string[];
  /** How many such ways there were, and how many of them led to a call. */
  times: number;
  calls: number;
}
/** Basis points by source; they sum to 10,000. */
type SourceShares = Map<string, number>;

const sourcesOf = (journeys: readonly Journey[]) =>
  [...new Set(journeys.flatMap(({ sources }) => sources))].toSorted();

/**
 * Each source's Shapley value, of the game in which a set of sources is worth the calls of the ways
 * that took no others. Such a game is a sum of unanimity games, so the value is exact for any number
 * of sources: every call is split evenly among the different sources on its way.
 */
export function shapleyShares(journeys: readonly Journey[]): SourceShares {
  const sources = sourcesOf(journeys);
  const worth = new Map(sources.map((source) => [source, 0]));
  for (const journey of journeys) {
    const distinct = new Set(journey.sources);
    for (const source of distinct)
      worth.set(source, (worth.get(source) ?? 0) + journey.calls / distinct.size);
  }
  return sharesOf(sources, [...worth.values()]);
}

/**
 * Each source's removal effect in a Markov chain over the ways: how much less likely a call becomes
 * when every step to that source leads nowhere.
 */
export function markovShares(journeys: readonly Journey[]): SourceShares {
  const sources = sourcesOf(journeys);
  const chain = chainOf(sources, journeys);
  const all = callChance(chain, -1);
  return sharesOf(
    sources,
    sources.map((_, i) => (all > 0 ? Math.max(0, 1 - callChance(chain, i) / all) : 0)),
  );
}

const sharesOf = (sources: readonly string[], weights: readonly number[]): SourceShares => {
  const shares = sharesByWeight(weights);
  return new Map(sources.map((source, i) => [source, shares[i] ?? 0]));
};

interface Chain {
  /** Chances of the first source, and from each source to each. */
  start: number[];
  steps: number[][];
  /** From each source to a call. */
  toCall: number[];
}

function chainOf(sources: readonly string[], journeys: readonly Journey[]): Chain {
  const place = new Map(sources.map((source, i) => [source, i]));
  const zeros = () => sources.map(() => 0);
  const start = zeros();
  const steps = sources.map(zeros);
  const [toCall, leaving] = [zeros(), zeros()];
  const add = (list: number[] | undefined, i: number, by: number) => {
    if (list) list[i] = (list[i] ?? 0) + by;
  };
  let all = 0;
  for (const { sources: way, times, calls } of journeys) {
    const places = way.map((source) => place.get(source) ?? 0);
    all += times;
    add(start, places[0] ?? 0, times);
    places.forEach((from, i) => {
      const next = places[i + 1];
      add(leaving, from, times);
      if (next === undefined) add(toCall, from, calls);
      else add(steps[from], next, times);
    });
  }
  return {
    start: start.map((times) => times / all),
    steps: steps.map((row, i) => row.map((times) => times / (leaving[i] || 1))),
    toCall: toCall.map((calls, i) => calls / (leaving[i] || 1)),
  };
}

/** How likely a way leads to a call when one source (its place; -1: none) leads nowhere. */
function callChance({ start, steps, toCall }: Chain, removed: number): number {
  const kept = start.map((_, i) => i).filter((i) => i !== removed);
  // From each source: the chance to go straight to a call, and that of every source it leads to.
  const chances = solve(
    kept.map((from) => kept.map((to) => (from === to ? 1 : 0) - (steps[from]?.[to] ?? 0))),
    kept.map((from) => toCall[from] ?? 0),
  );
  return kept.reduce((sum, i, at) => sum + (start[i] ?? 0) * (chances[at] ?? 0), 0);
}

/** Solves linear equations by elimination; what can't be told is 0. Changes what it is given. */
function solve(rows: number[][], values: number[]): number[] {
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let column = 0; column < rows.length; column++) {
    let pivot = column;
    for (let row = column + 1; row < rows.length; row++)
      if (Math.abs(at(row, column)) > Math.abs(at(pivot, column))) pivot = row;
    if (Math.abs(at(pivot, column)) < 1e-12) continue;
    swap(rows, column, pivot);
    swap(values, column, pivot);
    for (let row = 0; row < rows.length; row++) {
      const factor = row === column ? 0 : at(row, column) / at(column, column);
      if (factor === 0) continue;
      rows[row] = (rows[row] ?? []).map((value, i) => value - factor * at(column, i));
      values[row] = (values[row] ?? 0) - factor * (values[column] ?? 0);
    }
  }
  return values.map((value, i) => (at(i, i) === 0 ? 0 : value / at(i, i)));
}

function swap<T>(list: T[], a: number, b: number): void {
  const [first, second] = [list[a], list[b]];
  if (first === undefined || second === undefined) return;
  list[a] = second;
  list[b] = first;
}
