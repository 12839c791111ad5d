/**
 * One 20 ms clock for all legs, corrected for drift. After a stall it catches up a few ticks and
 * skips the rest.
 */
const intervalMs = 20;
const maxCatchUpTicks = 5;

/**
 * Calls `tick` every 20 ms with the time it was due (`performance.now()`). Returns a function that
 * stops it.
 */
export function startTicker(tick: (nowMs: number) => void): () => void {
  let nextMs = performance.now() + intervalMs;
  let timer: NodeJS.Timeout;
  const run = (): void => {
    const nowMs = performance.now();
    for (let i = 0; i < maxCatchUpTicks && nextMs <= nowMs; i++, nextMs += intervalMs) tick(nextMs);
    if (nextMs <= nowMs) nextMs = nowMs + intervalMs;
    timer = setTimeout(run, Math.max(0, nextMs - performance.now()));
  };
  timer = setTimeout(run, intervalMs);
  return () => clearTimeout(timer);
}
