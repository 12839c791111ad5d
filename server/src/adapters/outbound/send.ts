import type { Outbound } from '../../gateways/outbound.ts';
import { retryAfterSeconds } from '../../platform/circuit-breaker.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import {
  publicInternet,
  type PublicInternet,
} from '../../platform/http-client/public-connector.ts';
import { sentenceOf } from '../log-sinks/deliver.ts';

/** How much of an answer is kept. Bytes. */
const KEPT = 16 * 1024;

/** Sends to receivers on the public internet; nothing of our own network is reached. */
export function publicOutbound(internet: PublicInternet = publicInternet): Outbound {
  const client = createHttpClient({
    target: 'outbound',
    totalMs: 20_000,
    maxBytes: KEPT,
    whenTooLarge: 'cut',
    only: internet,
  });
  return {
    name: 'public',
    send: async ({ url, method, headers, body }) => {
      try {
        const answer = await client.request(url, {
          method,
          headers: { 'user-agent': 'Trunkline', ...headers },
          ...(body && { body }),
        });
        return {
          status: answer.status,
          body: answer.body.toString('utf8'),
          retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after'], new Date()),
        };
      } catch (error) {
        return { status: null, error: sentenceOf(error) };
      }
    },
  };
}
