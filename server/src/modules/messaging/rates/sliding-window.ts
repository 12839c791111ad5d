/**
 * How fast a registration may text: `recent` holds what was sent in the last window, and another
 * `n` segments go only when they fit. The window is one hundredth longer than a second, because
 * texts reach the carrier a few milliseconds early or late and no second of its own may hold more
 * than the limit; that leaves 0.98 of the limit. Times are milliseconds, rounded up to whole steps,
 * which keeps a busy window at a hundred entries.
 */
export type Recent = readonly (readonly [at: number, n: number])[];
export const windowMs = 1010;
const stepMs = 10;

/**
 * Sends `n` segments if they fit. `waitMs` 0: they do, and `recent` includes them; otherwise how
 * long to wait before asking again. A text longer than the limit takes several windows.
 */
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

/**
 * Pacing interval in ms: windowMs / 5 + a step (rounded), so that one window spans five intervals.
 */
export const pacingIntervalMs = 205;
/** A little more than the even pace, so that a late look loses nothing. */
const pacingSlack = 1.2;
/**
 * How many segments may go now at an even pace: about a fifth of a second's worth every fifth of a
 * second, because a second's worth at once returns as a second's worth of receipts at once.
 * `slack`: so many times that. The limit itself is enforced by `tryConsume`.
 */
export function pacedAllowance(recent: Recent, limit: number, nowMs: number, slack = 1): number {
  const recentCount = recent.reduce(
    (sum, [at, n]) => (nowMs - at < pacingIntervalMs - stepMs ? sum + n : sum),
    0,
  );
  const perInterval = Math.ceil((slack * limit * pacingIntervalMs * pacingSlack) / 1000);
  return Math.max(0, perInterval - recentCount);
}

/**
 * Slots are a step further apart than windows end, so that a text that comes on time finds room.
 */
export const slotSpacingMs = windowMs + stepMs;
/**
 * The next free slot after `reservedUntilMs` (null: nothing is reserved), at the pace of the limit,
 * at the earliest in `waitMs`. `promisedMs`: until when the rate is reserved afterwards.
 */
export function reserveSlot(
  reservedUntilMs: number | null,
  limit: number,
  n: number,
  nowMs: number,
  waitMs: number,
): { slotMs: number; promisedMs: number } {
  const slotMs = Math.max(nowMs + waitMs, reservedUntilMs ?? 0);
  return { slotMs, promisedMs: slotMs + (n * slotSpacingMs) / limit };
}
