import { CircuitOpenError, retryAfterSeconds } from '../circuit-breaker.ts';
import { HttpClientError } from './errors.ts';

/** Methods that may be repeated without an idempotency key. */
export const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

/** The delay before the next attempt in ms, or null when this outcome is final. */
export function retryDelayMs(
  outcome: { status: number; headers: Record<string, string> } | Error,
  round: number,
  { random, now }: { random: () => number; now: () => Date },
): number | null {
  if (!(outcome instanceof Error) && !retriedStatuses.has(outcome.status)) return null;
  if (outcome instanceof HttpClientError || outcome instanceof CircuitOpenError) return null;
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** round);
  const jitter = random() * longest;
  if (outcome instanceof Error) return jitter;
  const asked = retryAfterSeconds(outcome.headers['retry-after'], now());
  // Not earlier than requested, and not every client at the same moment.
  return asked === null ? jitter : asked * 1000 + jitter;
}

/** Waits, or rejects with the signal's reason. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
