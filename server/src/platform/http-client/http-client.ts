import { Histogram } from 'prom-client';
import { Agent } from 'undici';
import { retryAfterSeconds, type Availability } from '../circuit-breaker.ts';
import { encodeBody, flatHeaders, readBody, unpack } from './bodies.ts';
import { HttpClientError, outcomeOf, wasNeverSent } from './errors.ts';
import { publicConnector, type PublicInternet } from './public-connector.ts';
import { idempotentMethods, retryDelayMs, waitFor } from './retries.ts';
import type { HttpClient, HttpClientOptions, HttpRequest, HttpResponse } from './types.ts';

export type { HttpClient, HttpClientOptions, HttpRequest };

/** A request whose form is encoded, so that it can be sent again. */
type EncodedRequest = Omit<HttpRequest, 'body'> & { body: string | Buffer | null };

const requestSeconds = new Histogram({
  name: 'http_client_request_seconds',
  help: 'Response time of third parties by target and result, one observation per attempt',
  labelNames: ['target', 'outcome'],
  buckets: [0.02, 0.1, 0.3, 1, 3, 10, 30],
});

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** The client for one third party: connections, limits, retries and metrics of its own. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const client = new ThirdPartyClient(options);
  return {
    request: (url, request) => client.request(url, request),
    close: () => client.close(),
  };
}

class ThirdPartyClient implements HttpClient {
  private readonly agent: Agent;
  private readonly clock: { now: () => Date; random: () => number };

  constructor(private readonly options: HttpClientOptions) {
    const connectMs = options.connectMs ?? 5_000;
    this.clock = {
      now: options.now ?? (() => new Date()),
      random: options.random ?? (() => Math.random()),
    };
    this.agent = new Agent({
      connections: options.connections ?? 16,
      headersTimeout: options.headersMs ?? 10_000,
      bodyTimeout: options.bodyMs ?? 20_000,
      connect: options.only ? publicConnector(options.only, connectMs) : { timeout: connectMs },
    });
  }

  async request(address: string, request: HttpRequest = {}): Promise<HttpResponse> {
    const totalMs = request.totalMs ?? this.options.totalMs ?? 15_000;
    const controller = new AbortController();
    const abort = () => controller.abort(request.signal?.reason);
    if (request.signal?.aborted) abort();
    request.signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => {
      const message = `${this.options.target} did not answer within ${totalMs} ms`;
      controller.abort(new HttpClientError('DEADLINE', message));
    }, totalMs);
    const key = request.idempotencyKey;
    const headers = { ...request.headers, ...(key && { 'idempotency-key': key }) };
    const deadlineMs = performance.now() + totalMs;
    try {
      const { body, type } = await encodeBody(request.body);
      const encoded = {
        ...request,
        body,
        headers: { ...headers, ...(type && { 'content-type': type }) },
      };
      return await this.withRetries(address, encoded, controller.signal, deadlineMs);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abort);
    }
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** Sends once, to one address. */
  private async send(
    url: URL,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const answer = await this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body,
      signal,
    });
    const maxBytes = request.maxBytes ?? this.options.maxBytes ?? 10_000_000;
    const cut = this.options.whenTooLarge === 'cut';
    const headers = flatHeaders(answer.headers);
    const packed = await readBody(answer.body, maxBytes, cut);
    const body = await unpack(packed, headers['content-encoding'], maxBytes);
    return { status: answer.statusCode, url: url.href, headers, body };
  }

  private async followRedirects(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let url = webAddress(address, this.options.only);
    let redirectsLeft = (request.method ?? 'GET') === 'GET' ? (request.redirects ?? 0) : 0;
    const follows = redirectsLeft > 0;
    let { headers } = request;
    for (;;) {
      const answer = await this.send(url, { ...request, ...(headers && { headers }) }, signal);
      const { location } = answer.headers;
      const redirected = redirectStatuses.has(answer.status) && location !== undefined;
      if (!redirected || !follows) return answer;
      if (redirectsLeft-- === 0)
        throw new HttpClientError(
          'TOO_MANY_REDIRECTS',
          `${this.options.target} redirects too often`,
        );
      const next = webAddress(new URL(location, url).href, this.options.only);
      // Credentials are meant for the origin that was requested.
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  }

  /** One attempt, through the circuit breaker if there is one, and measured. */
  private async attempt(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const stop = requestSeconds.startTimer({ target: this.options.target });
    try {
      const answer = await throughCircuit(
        () => this.followRedirects(address, request, signal),
        this.options.circuit,
        request.signal,
      );
      stop({ outcome: `${Math.floor(answer.status / 100)}xx` });
      return answer;
    } catch (error) {
      stop({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  private async withRetries(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
    deadlineMs: number,
  ): Promise<HttpResponse> {
    const repeatable =
      idempotentMethods.has(request.method ?? 'GET') || request.idempotencyKey !== undefined;
    for (let round = 0; ; round++) {
      const outcome = await this.attempt(address, request, signal).catch((error: Error) => error);
      const mayRetry =
        round + 1 < (request.attempts ?? 1) &&
        !signal.aborted &&
        (repeatable || (outcome instanceof Error && wasNeverSent(outcome)));
      const delay = mayRetry ? retryDelayMs(outcome, round, this.clock) : null;
      if (delay === null || performance.now() + delay >= deadlineMs) {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      }
      await (this.options.wait ?? waitFor)(delay, signal);
    }
  }
}

/**
 * The availability of a JSON API: away when it answers 429 or 5xx, or when a success is not JSON,
 * because then something in between answered.
 */
export const jsonApiAvailability =
  (now: () => Date) =>
  ({ status, headers, body }: HttpResponse): Availability => {
    if (status === 429 || status >= 500)
      return { away: true, retryAfterSeconds: retryAfterSeconds(headers['retry-after'], now()) };
    return status < 300 && body.length > 0 && parseJson(body) === undefined
      ? { away: true, retryAfterSeconds: null }
      : 'there';
  };

/** Parses a response body as JSON; undefined when it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Responses that we rejected and requests that the caller canceled show nothing about the target.
 */
async function throughCircuit(
  ask: () => Promise<HttpResponse>,
  circuit: HttpClientOptions['circuit'],
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  if (!circuit) return ask();
  const outcome = await circuit.breaker.run<HttpResponse | Error>(
    () =>
      ask().catch((error: Error) => {
        const ours = error instanceof HttpClientError && error.code !== 'DEADLINE';
        if (ours || signal?.aborted) return error;
        throw error;
      }),
    (answer) => (answer instanceof Error ? 'unknown' : circuit.availability(answer)),
  );
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

function webAddress(address: string, only: PublicInternet | undefined): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    (!only || only.ports.includes(url.port));
  if (!isWeb) throw new HttpClientError('NOT_WEB', 'This is no address of the web');
  return url;
}
