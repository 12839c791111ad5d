/** Which destination comes first: weights and round robin. */
import type { Forward, Route, EngineInputs } from '../types.ts';

/**
 * Draws one destination by weight (missing weight = 1). `random` returns [0, 1). Undefined: there
 * are none.
 */
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
 * Smooth weighted round robin: the index of the destination for a turn. Over as many turns as the
 * weights sum up to, each gets exactly its share, spread evenly. Deterministic per turn.
 */
function weightedRoundRobin(weights: readonly number[], turn: number): number {
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

/** The ring order of a sequential route: round robin rotates its start (A7.1). */
export function rotateForwards(forwards: Forward[], route: Route, inputs: EngineInputs): Forward[] {
  if (forwards.length < 2 || route.roundRobin === 'none') return forwards;
  if (route.roundRobin === 'least_recent') {
    const last = inputs.lastAnswered?.[route.id] ?? {};
    const at = (forward: Forward): number =>
      forward.team
        ? Math.max(0, ...forward.team.members.map(at))
        : (last[forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`] ?? 0);
    return forwards.toSorted((a, b) => at(a) - at(b));
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
