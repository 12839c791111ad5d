import type { LogSinks, SinkResult } from '../../gateways/log-sinks.ts';
import { HttpClientError } from '../../platform/http-client/errors.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import {
  publicInternet,
  publicLookup,
  type PublicInternet,
} from '../../platform/http-client/public-connector.ts';
import { s3Bytes } from '../s3/bytes.ts';

const refused = (error: string): SinkResult => ({ ok: false, error });

/** Receivers on the public internet; nothing of our own network is reached. */
export function publicSinks(internet: PublicInternet = publicInternet): LogSinks {
  const client = createHttpClient({
    target: 'log-sinks',
    totalMs: 20_000,
    maxBytes: 64 * 1024,
    whenTooLarge: 'cut',
    only: internet,
  });
  return {
    name: 'public',
    post: async (url, headers, body) => {
      try {
        const { status } = await client.request(url, {
          method: 'POST',
          headers: { ...headers, 'user-agent': 'Trunkline audit stream' },
          body,
        });
        return status >= 200 && status < 300
          ? { ok: true }
          : refused(`The receiver answered with status ${status}.`);
      } catch (error) {
        return refused(sentenceOf(error));
      }
    },
    put: async (bucket, key, body) => {
      if (bucket.endpoint && !internet.ports.includes(new URL(bucket.endpoint).port))
        return refused('The address isn’t on the public internet.');
      try {
        const lookup = publicLookup(internet);
        const store = s3Bytes(bucket, { lookup, isPublic: internet.isPublic, timeoutMs: 20_000 });
        await store.put(key, Buffer.from(body), 'application/x-ndjson');
        return { ok: true };
      } catch (error) {
        return refused(sentenceOf(error));
      }
    },
  };
}

/** Why nothing was delivered, for the administrators of the receiver. */
export function sentenceOf(error: unknown): string {
  if (error instanceof HttpClientError && error.code === 'PRIVATE_ADDRESS')
    return 'The address isn’t on the public internet.';
  if (error instanceof HttpClientError && error.code === 'DEADLINE')
    return 'The receiver didn’t answer within 20 seconds.';
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if ($metadata?.httpStatusCode)
    return `The bucket answered with status ${$metadata.httpStatusCode} (${name ?? 'error'}).`;
  return `The receiver can’t be reached (${code ?? name ?? 'error'}).`;
}
