/** Who comes first: weights, turns and places. */
import type { Forward, Route, EngineInputs } from './types.ts';

/** One destination by weight; without weights all are equal. `draw` is a number in [0, 1). */
export function pickByWeight(forwards: Forward[], random: () => number): Forward | undefined {
  if (forwards.length < 2) return forwards[0];
  const weights = forwards.map((forward) => forward.weight ?? 1);
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, forward] of forwards.entries()) {
    left -= weights[i] ?? 0;
    if (left < 0) return forward;
  }
  return forwards.at(-1);
}

/**
 * Whose turn it is when turns are shared out by weight: over as many turns as the weights add up to, each has exactly its
 * share, spread evenly (smooth weighted round robin). The same turn always gives the same answer.
 */
export function weightedRoundRobin(weights: readonly number[], turn: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0) return 0;
  const credit = weights.map(() => 0);
  let chosen = 0;
  for (let t = 0; t <= turn % total; t += 1) {
    chosen = 0;
    for (const [i, weight] of weights.entries()) {
      credit[i] = (credit[i] ?? 0) + weight;
      if ((credit[i] ?? 0) > (credit[chosen] ?? 0)) chosen = i;
    }
    credit[chosen] = (credit[chosen] ?? 0) - total;
  }
  return chosen;
}

/** The order of a sequential route today: round robin moves the start (A7.1), the order itself stays a circle. */
export function rotateForwards(forwards: Forward[], route: Route, inputs: EngineInputs): Forward[] {
  const key = (forward: Forward) =>
    forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`;
  if (forwards.length < 2 || route.roundRobin === 'none') return forwards;
  if (route.roundRobin === 'least_recent') {
    const last = inputs.lastAnswered?.[route.id] ?? {};
    return forwards.toSorted((a, b) => (last[key(a)] ?? 0) - (last[key(b)] ?? 0));
  }
  const turn = inputs.turns?.[route.id] ?? 0;
  const start =
    route.roundRobin === 'strict'
      ? turn % forwards.length
      : weightedRoundRobin(
          forwards.map((forward) => forward.weight ?? 1),
          turn,
        );
  return [...forwards.slice(start), ...forwards.slice(0, start)];
}
