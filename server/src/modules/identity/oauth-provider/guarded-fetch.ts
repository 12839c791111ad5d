import { createHttpClient } from '../../../platform/http-client/http-client.ts';
import { publicInternet } from '../../../platform/http-client/public-connector.ts';

/** What a program names (its keys, for example) is a small document on the public internet. */
const outside = createHttpClient({
  target: 'oauth-clients',
  only: publicInternet,
  totalMs: 5000,
  maxBytes: 64 * 1024,
});

/**
 * `fetch` for addresses that programs name when they register. It reaches no private address.
 * @throws HttpClientError for a private address, or what is too large or slow
 */
export async function fetchFromPublicInternet(
  url: string | URL | Request,
  options: RequestInit = {},
): Promise<Response> {
  const address = url instanceof Request ? url.url : String(url);
  const headers = Object.fromEntries(new Headers(options.headers));
  const answer = await outside.request(address, { headers });
  // The body has been unpacked.
  const { 'content-encoding': _, 'content-length': __, ...kept } = answer.headers;
  return new Response(answer.body.length ? new Uint8Array(answer.body) : null, {
    status: answer.status,
    headers: kept,
  });
}
