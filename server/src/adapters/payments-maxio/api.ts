import { setTimeout as pause } from 'node:timers/promises';
import { retryAfterSeconds } from '../../platform/circuit-breaker.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { fail } from '../../platform/errors.ts';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import type { MaxioAccount } from './account.ts';

/** Maxio gives up a request after 120 seconds: once ours is over, nothing goes on there. */
export const requestMs = 130_000;
/** How often a request that was turned away unread (429) is sent, and the longest wait between. */
const mostRounds = 4;
const longestWaitMs = 8_000;
/** It runs four requests of a site at once. */
const limit = createConcurrencyLimit({ slots: 4, waiting: 200 });

/** Maxio refused a request, in its own sentence. */
export class RefusedError extends Error {}

export interface MaxioApi {
  /** Undefined: there is no such thing. */
  get(path: string, query?: Record<string, string>): Promise<unknown>;
  /** Undefined: what it is about isn't there. Throws RefusedError. */
  post(path: string, body: object): Promise<unknown>;
}

/**
 * Asks Maxio's API. Reads are repeated when it is away, and what it turned away unread; anything else
 * fails with `billing.unreachable`, as no one knows whether it was done.
 */
export function maxioApi({ apiKey, siteUrl }: MaxioAccount): MaxioApi {
  const client = createHttpClient({
    target: 'maxio',
    connections: 4,
    headersMs: requestMs,
    totalMs: requestMs,
  });
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${apiKey}:x`).toString('base64')}`,
  };
  const ask = async (method: 'GET' | 'POST', address: string, body?: object) => {
    for (let round = 1; ; round++) {
      const answer = await client
        .request(siteUrl + address, {
          method,
          attempts: method === 'GET' ? 3 : 1,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
        .catch((cause: unknown) => fail('billing.unreachable', {}, { cause }));
      if (answer.status !== 429 || round === mostRounds) return answer;
      const asked = retryAfterSeconds(answer.headers['retry-after'] ?? null, new Date());
      await pause(Math.min(longestWaitMs, (asked ?? 2 ** (round - 1)) * 1000));
    }
  };
  const read = async (method: 'GET' | 'POST', address: string, body?: object): Promise<unknown> => {
    const answer = await limit.run({ key: null }, () => ask(method, address, body));
    if (answer.status === 404) return undefined;
    const said = parseJson(answer.body);
    if (answer.status === 422 || answer.status === 400) throw new RefusedError(sentenceOf(said));
    if (answer.status >= 300 || said === undefined)
      fail('billing.unreachable', {}, { cause: new Error(`Maxio answered ${answer.status}.`) });
    return said;
  };
  return {
    get: (path, query) =>
      read('GET', query ? `${path}?${new URLSearchParams(query).toString()}` : path),
    post: (path, body) => read('POST', path, body),
  };
}

/** Its errors come as a list, as an object of lists, or as one sentence. */
function sentenceOf(said: unknown): string {
  const leaves = (value: unknown): string[] => {
    if (typeof value === 'string') return [value.trim()].filter(Boolean);
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [];
  };
  const sentence = leaves((said as { errors?: unknown } | undefined)?.errors ?? said).join(' ');
  if (!sentence) return 'Maxio refused it without a reason.';
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
