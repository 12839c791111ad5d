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
/** The same of an answer that is read to its end, such as a long list. */
const WHOLE = 4 * 1024 * 1024;

/** Sends to receivers on the public internet; nothing of our own network is reached. */
export function publicOutbound(internet: PublicInternet = publicInternet): Outbound {
  const shared = { target: 'outbound', totalMs: 20_000, only: internet };
  const client = createHttpClient({ ...shared, maxBytes: KEPT, whenTooLarge: 'cut' });
  const reader = createHttpClient({ ...shared, maxBytes: WHOLE });
  return {
    name: 'public',
    send: async ({ url, method, headers, body, whole }) => {
      try {
        const answer = await (whole ? reader : client).request(url, {
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
