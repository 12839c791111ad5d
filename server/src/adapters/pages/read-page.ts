import type { PageReader, PageResult } from '../../gateways/web-pages.ts';
import { HttpClientError, outcomeOf } from '../../platform/http-client/errors.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import {
  publicInternet,
  type PublicInternet,
} from '../../platform/http-client/public-connector.ts';

type Failure = Extract<PageResult, { ok: false }>['why'];
const failures: Partial<Record<HttpClientError['code'], Failure>> = {
  NOT_WEB: 'not_web',
  PRIVATE_ADDRESS: 'private_address',
  TOO_MANY_REDIRECTS: 'too_many_redirects',
};

/** Reads public web pages for somebody who names their address; nothing of our own network is reached. */
export function publicPageReader(internet: PublicInternet = publicInternet): PageReader {
  const client = createHttpClient({
    target: 'pages',
    headersMs: 5_000,
    bodyMs: 5_000,
    totalMs: 10_000,
    maxBytes: 512 * 1024,
    whenTooLarge: 'cut',
    only: internet,
  });
  const headers = {
    'user-agent': 'Trunkline registration check',
    accept: 'text/html,*/*;q=0.5',
  };
  return {
    fetchPage: async (url, { maxBytes, userAgent } = {}) => {
      try {
        const answer = await client.request(url, {
          headers: { ...headers, ...(userAgent && { 'user-agent': userAgent }) },
          redirects: 3,
          ...(maxBytes && { maxBytes }),
        });
        const text = answer.body.toString('utf8');
        const { status, headers: said, url: last } = answer;
        return { ok: true, status, url: last, headers: said, text, simulated: false };
      } catch (error) {
        const why = error instanceof HttpClientError ? failures[error.code] : undefined;
        const isSlow = outcomeOf(error) === 'timeout';
        return { ok: false, why: why ?? (isSlow ? 'timeout' : 'unreachable'), simulated: false };
      }
    },
  };
}
