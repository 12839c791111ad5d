import { describe, expect, it } from 'vitest';
import {
  CircuitBreaker,
  CircuitOpenError,
  retryAfterSeconds,
  type Availability,
} from './circuit-breaker.ts';

function aStranger() {
  let nowMs = Date.UTC(2026, 0, 1);
  const changes: string[] = [];
  const breaker = new CircuitBreaker(
    'The third party',
    () => new Date(nowMs),
    (state) => changes.push(state),
  );
  let asked = 0;
  return {
    breaker,
    changes,
    asked: () => asked,
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    /** The outcome of one request: an availability, or an error. */
    ask: (says: Availability | Error) =>
      breaker
        .run(
          () => {
            asked++;
            return says instanceof Error ? Promise.reject(says) : Promise.resolve(says);
          },
          (verdict) => verdict,
        )
        .catch((error: unknown) => error),
  };
}
const away: Availability = { away: true, retryAfterSeconds: null };

describe('circuit breaker', () => {
  it('opens after five failures in a row; then no request is sent', async () => {
    const s = aStranger();
    for (let i = 0; i < 4; i++) await s.ask(away);
    await s.ask('there');
    for (let i = 0; i < 4; i++) await s.ask(new Error('no line'));
    expect([s.breaker.state, s.asked()]).toEqual(['closed', 9]);
    await s.ask(away);
    expect(s.breaker.state).toBe('open');
    expect(await s.ask('there')).toBeInstanceOf(CircuitOpenError);
    expect(s.asked()).toBe(10);
  });
  it('after a pause one probe is sent while the others wait; the pause doubles up to two minutes', async () => {
    const s = aStranger();
    for (let i = 0; i < 5; i++) await s.ask(away);
    for (const pause of [15, 30, 60, 120, 120]) {
      s.pass(pause - 1);
      expect(await s.ask(away)).toBeInstanceOf(CircuitOpenError);
      s.pass(1);
      expect(s.breaker.state).toBe('half-open');
      const before = s.asked();
      const answers = await Promise.all([s.ask(away), s.ask(away), s.ask(away)]);
      expect([
        s.asked() - before,
        answers.filter((answer) => answer instanceof CircuitOpenError).length,
      ]).toEqual([1, 2]);
    }
    s.pass(120);
    await s.ask('there');
    expect([s.breaker.state, s.changes.at(-1)]).toEqual(['closed', 'closed']);
    for (let i = 0; i < 5; i++) await s.ask(away);
    s.pass(15);
    expect(s.breaker.state, 'the next outage begins with a short pause').toBe('half-open');
  });
  it('Retry-After opens it at once for that long, at most five minutes', async () => {
    const s = aStranger();
    await s.ask({ away: true, retryAfterSeconds: 40 });
    s.pass(39);
    expect(await s.ask('there')).toBeInstanceOf(CircuitOpenError);
    s.pass(1);
    expect(await s.ask({ away: true, retryAfterSeconds: 86_400 })).toMatchObject({ away: true });
    s.pass(300);
    expect(await s.ask('there')).toBe('there');
    expect(s.breaker.state).toBe('closed');
  });
  it('a late response to an earlier request does not close it', async () => {
    const s = aStranger();
    let late: (verdict: Availability) => void = () => undefined;
    const earlier = s.breaker.run(
      () =>
        new Promise<Availability>((resolve) => {
          late = resolve;
        }),
      (verdict) => verdict,
    );
    for (let i = 0; i < 5; i++) await s.ask(away);
    late('there');
    await earlier;
    expect(s.breaker.state).toBe('open');
  });
  it('reads Retry-After as seconds or as a date', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(
      [
        '7',
        'Thu, 01 Jan 2026 00:00:30 GMT',
        undefined,
        'soon',
        'Wed, 31 Dec 2025 00:00:00 GMT',
      ].map((header) => retryAfterSeconds(header, now)),
    ).toEqual([7, 30, null, null, 0]);
  });
});
