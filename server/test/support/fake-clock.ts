/** For tests: a clock that only moves when told to, and then runs due timers in order. */
import type { Clock } from '../../src/exchange/sip/transaction-types.ts';

export function createFakeClock(): Clock & { advance(ms: number): void } {
  let nowMs = 1_000_000;
  const due = new Set<{ atMs: number; act: () => void }>();
  return {
    now: () => nowMs,
    after(ms, act) {
      const one = { atMs: nowMs + ms, act };
      due.add(one);
      return () => void due.delete(one);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...due]
          .filter(({ atMs }) => atMs <= untilMs)
          .sort((one, other) => one.atMs - other.atMs);
        if (!next) break;
        due.delete(next);
        nowMs = next.atMs;
        next.act();
      }
      nowMs = untilMs;
    },
  };
}
