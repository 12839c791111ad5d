/**
 * How fast a registration may text, as a bucket that never overflows: `recent` holds what was sent in the last window,
 * and another `n` goes only when it fits. The window is one hundredth longer than a second, so that the carrier never counts
 * more than the limit in any second of its own although our sends reach it a few milliseconds early or late; that leaves
 * 0.98 of the limit. Times are rounded up to whole steps, which keeps a busy bucket at a hundred entries.
 */
export type Recent = readonly (readonly [at: number, n: number])[];
export const windowMs = 1010;
const stepMs = 10;

/** `0`: go now, with what to remember; otherwise how long to wait before asking again. A text longer than the limit takes several windows. */
export function tryConsume(
  recent: Recent,
  limit: number,
  n: number,
  nowMs: number,
): { waitMs: number; recent: Recent } {
  const inWindow = recent.filter(([at]) => at > nowMs - windowMs);
  const first = Math.min(n, limit);
  let used = inWindow.reduce((sum, [, m]) => sum + m, 0);
  if (used + first <= limit) {
    const after = new Map<number, number>(inWindow.map(([at, m]) => [at, m]));
    const now = Math.ceil(nowMs / stepMs) * stepMs;
    for (let rest = n, at = now; rest > 0; rest -= limit, at += windowMs)
      after.set(at, (after.get(at) ?? 0) + Math.min(rest, limit));
    return { waitMs: 0, recent: [...after].sort(([a], [b]) => a - b) };
  }
  for (const [at, m] of inWindow) {
    used -= m;
    if (used + first <= limit)
      return { waitMs: Math.max(1, at + windowMs - nowMs), recent: inWindow };
  }
  return { waitMs: windowMs, recent: inWindow };
}

/** Who sends to many looks for room so often: a fifth of the window and a step, so that the sixth look finds what the first one took free again. */
export const pacingIntervalMs = 205;
/**
 * How many may go now for an even pace: about a fifth of a second's worth every fifth of a second, because a second's worth at once
 * would come back as a second's worth of receipts at once. A little more, so that who looks late loses nothing: what goes evenly once
 * finds its room free again as evenly. `slack`: so many times that. The limit itself is `take`'s.
 */
export function pacedAllowance(recent: Recent, limit: number, nowMs: number, slack = 1): number {
  const recentCount = recent.reduce(
    (sum, [at, n]) => (nowMs - at < pacingIntervalMs - stepMs ? sum + n : sum),
    0,
  );
  return Math.max(
    0,
    Math.ceil((slack * limit * pacingIntervalMs * pacingSlack) / 1000) - recentCount,
  );
}
const pacingSlack = 1.2;

/** Turns are a step further apart than windows end, so that whoever comes in time finds room. */
export const slotSpacingMs = windowMs + stepMs;
/** When the next of those who wait may come: after everybody who was promised a turn, at the pace of the limit. */
export function reserveSlot(
  reservedUntilMs: number | null,
  limit: number,
  n: number,
  nowMs: number,
  waitMs: number,
): { slotMs: number; promisedMs: number } {
  const turnMs = Math.max(nowMs + waitMs, reservedUntilMs ?? 0);
  return { slotMs: turnMs, promisedMs: turnMs + (n * slotSpacingMs) / limit };
}
