import type { HttpClient } from '../../platform/http-client/http-client.ts';

/** What the OAuth libraries hand to their `fetch`. */
interface LibraryRequest {
  method: string;
  headers: Record<string, string>;
  /** A form, if any. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** The libraries ask through our client: deadlines, limits, metrics and the guard hold for them too. */
export const fetchThrough =
  (http: Pick<HttpClient, 'request'>) =>
  async (url: string, request: LibraryRequest): Promise<Response> => {
    const answer = await http.request(url, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: request.headers,
      ...(isForm(request.body) && { body: request.body.toString() }),
      ...(request.signal && { signal: request.signal }),
    });
    const hasBody = answer.body.length > 0;
    const { 'content-encoding': _unpacked, ...headers } = answer.headers;
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers,
    });
  };

const isForm = (body: unknown): body is URLSearchParams | string =>
  body instanceof URLSearchParams || typeof body === 'string';
