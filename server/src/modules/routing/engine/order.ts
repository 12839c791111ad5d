/** Who comes first: weights, turns and places. */
import type { Forward, Route, World } from './types.ts';

/** One destination by weight; without weights all are equal. `draw` is a number in [0, 1). */
export function byWeight(forwards: Forward[], draw: () => number): Forward | undefined {
  if (forwards.length < 2) return forwards[0];
  const weights = forwards.map((forward) => forward.weight ?? 1);
  let left = draw() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, forward] of forwards.entries()) {
    left -= weights[i] ?? 0;
    if (left < 0) return forward;
  }
  return forwards.at(-1);
}

/** The order of a sequential route today: round robin moves the start (A7.1), the order itself stays a circle. */
export function rotated(forwards: Forward[], route: Route, about: { world: World; draw: () => number }): Forward[] {
  const key = (forward: Forward) => (forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`);
  if (forwards.length < 2 || route.roundRobin === 'none') return forwards;
  if (route.roundRobin === 'least_recent') {
    const last = about.world.lastAnswered ?? {};
    return forwards.toSorted((a, b) => (last[key(a)] ?? 0) - (last[key(b)] ?? 0));
  }
  const first = byWeight(forwards, about.draw);
  const start = route.roundRobin === 'strict' ? (about.world.turns?.[route.id] ?? 0) % forwards.length : forwards.findIndex((forward) => forward === first);
  return [...forwards.slice(start), ...forwards.slice(0, start)];
}
