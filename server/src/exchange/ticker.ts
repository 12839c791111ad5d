/** One clock for all legs: 20 ms, corrected against drift. After a stall it catches up a little, then lets the rest go. */
const intervalMs = 20;
const maxCatchUpTicks = 5;

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
