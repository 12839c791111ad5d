import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Histogram } from 'prom-client';
import { Agent, type Dispatcher } from 'undici';
import {
  CircuitOpenError,
  retryAfterSeconds,
  type Availability,
  type CircuitBreaker,
} from '../circuit-breaker.ts';
import { HttpClientError, wasNeverSent } from './errors.ts';
import { publicConnector, type PublicInternet } from './public-connector.ts';

/** Options of the client for one third party. Durations are milliseconds, sizes are bytes. */
export interface HttpClientOptions {
  /** The target's name in metrics: a constant of ours, never a host that a user entered. */
  target: string;
  /** Maximum connections to one origin; 16 by default. */
  connections?: number;
  connectMs?: number;
  /** Timeout until the response headers arrive. */
  headersMs?: number;
  /** Timeout between two chunks of the response body. */
  bodyMs?: number;
  /** Timeout of the whole request, including redirects, retries and delays. */
  totalMs?: number;
  /** Maximum size of a response, also once it is unpacked. */
  maxBytes?: number;
  /** Beyond `maxBytes`: reject the response (the default), or return its beginning. */
  whenTooLarge?: 'refuse' | 'cut';
  /** When set, only public addresses are reached, also after name resolution and redirects. */
  only?: PublicInternet;
  /**
   * When set, requests go through this breaker. `availability` tells a response of a target that is
   * away.
   */
  circuit?: {
    breaker: CircuitBreaker;
    availability: (answer: HttpResponse) => Availability;
  };
  /** Delays before a retry, and the random number of its jitter (0 to 1). Tests pass their own. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
  now?: () => Date;
}

export interface HttpRequest {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
  /**
   * Sent as `Idempotency-Key`. The target promises to act on it once, so any method may be retried.
   */
  idempotencyKey?: string;
  /**
   * How often the request is sent at most; 1 by default. Set more only for what may be repeated.
   */
  attempts?: number;
  /**
   * Redirects that a GET follows; 0 by default. No header of the request is sent to another origin.
   */
  redirects?: number;
  totalMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

/** A request whose form is encoded, so that it can be sent again. */
type EncodedRequest = Omit<HttpRequest, 'body'> & { body: string | Buffer | null };

export interface HttpResponse {
  status: number;
  /** By lower-case name; a header that came several times is joined with commas. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface HttpClient {
  /**
   * Sends a request and returns the response, whatever its status.
   * @throws HttpClientError, CircuitOpenError, a connection error with its `code`, or the reason of
   * `signal`. `wasNeverSent` tells which of them came before the request was sent.
   */
  request(url: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Waits for requests in flight, then closes the connections. */
  close(): Promise<void>;
}

const requestSeconds = new Histogram({
  name: 'http_client_request_seconds',
  help: 'Response time of third parties by target and result, one observation per attempt',
  labelNames: ['target', 'outcome'],
  buckets: [0.02, 0.1, 0.3, 1, 3, 10, 30],
});

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const now = options.now ?? (() => new Date());
  const connectMs = options.connectMs ?? 5_000;
  const agent = new Agent({
    connections: options.connections ?? 16,
    headersTimeout: options.headersMs ?? 10_000,
    bodyTimeout: options.bodyMs ?? 20_000,
    connect: options.only ? publicConnector(options.only, connectMs) : { timeout: connectMs },
  });

  /** Sends once, to one address. */
  async function send(
    url: URL,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body,
      signal,
    });
    const maxBytes = request.maxBytes ?? options.maxBytes ?? 10_000_000;
    const cut = options.whenTooLarge === 'cut';
    const headers = flatHeaders(answer.headers);
    const packed = await readBody(answer.body, maxBytes, cut);
    const body = await unpack(packed, headers['content-encoding'], maxBytes);
    return { status: answer.statusCode, headers, body };
  }

  async function followRedirects(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let url = webAddress(address, options.only);
    let left = (request.method ?? 'GET') === 'GET' ? (request.redirects ?? 0) : 0;
    const follows = left > 0;
    let { headers } = request;
    for (;;) {
      const answer = await send(url, { ...request, ...(headers && { headers }) }, signal);
      const { location } = answer.headers;
      const redirected = redirectStatuses.has(answer.status) && location !== undefined;
      if (!redirected || !follows) return answer;
      if (left-- === 0)
        throw new HttpClientError('TOO_MANY_REDIRECTS', `${options.target} redirects too often`);
      const next = webAddress(new URL(location, url).href, options.only);
      // Credentials are meant for the origin that was requested.
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  }

  /** One attempt, through the circuit breaker if there is one, and measured. */
  async function attempt(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const stop = requestSeconds.startTimer({ target: options.target });
    try {
      const answer = await throughCircuit(
        () => followRedirects(address, request, signal),
        options.circuit,
        request.signal,
      );
      stop({ outcome: `${Math.floor(answer.status / 100)}xx` });
      return answer;
    } catch (error) {
      stop({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** The delay before the next attempt in ms, or null when this outcome is final. */
  function retryDelayMs(outcome: HttpResponse | Error, round: number): number | null {
    if (!(outcome instanceof Error) && !retriedStatuses.has(outcome.status)) return null;
    if (outcome instanceof HttpClientError || outcome instanceof CircuitOpenError) return null;
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** round);
    const jitter = (options.random ?? Math.random)() * longest;
    if (outcome instanceof Error) return jitter;
    const asked = retryAfterSeconds(outcome.headers['retry-after'], now());
    // Not earlier than requested, and not every client at the same moment.
    return asked === null ? jitter : asked * 1000 + jitter;
  }

  async function withRetries(
    address: string,
    request: EncodedRequest,
    signal: AbortSignal,
    deadlineMs: number,
  ): Promise<HttpResponse> {
    const repeatable =
      idempotentMethods.has(request.method ?? 'GET') || request.idempotencyKey !== undefined;
    for (let round = 0; ; round++) {
      const outcome = await attempt(address, request, signal).catch((error: Error) => error);
      const mayRetry =
        round + 1 < (request.attempts ?? 1) &&
        !signal.aborted &&
        (repeatable || (outcome instanceof Error && wasNeverSent(outcome)));
      const delay = mayRetry ? retryDelayMs(outcome, round) : null;
      if (delay === null || performance.now() + delay >= deadlineMs) {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      }
      await (options.wait ?? waitFor)(delay, signal);
    }
  }

  return {
    async request(address, request = {}) {
      const totalMs = request.totalMs ?? options.totalMs ?? 15_000;
      const controller = new AbortController();
      const abort = () => controller.abort(request.signal?.reason);
      if (request.signal?.aborted) abort();
      request.signal?.addEventListener('abort', abort, { once: true });
      const timer = setTimeout(() => {
        const message = `${options.target} did not answer within ${totalMs} ms`;
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
        return await withRetries(address, encoded, controller.signal, deadlineMs);
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', abort);
      }
    },
    close: () => agent.close(),
  };
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

async function readBody(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  cut: boolean,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection, so the rest is not read.
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size <= maxBytes) continue;
    if (!cut) throw tooLarge(maxBytes);
    break;
  }
  const whole = Buffer.concat(parts);
  return whole.length > maxBytes ? whole.subarray(0, maxBytes) : whole;
}

const tooLarge = (maxBytes: number) =>
  new HttpClientError('TOO_LARGE', `The answer is larger than ${maxBytes} bytes`);

const unpackers: Record<string, (b: Buffer, o: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
/** We accept no compression; a server that compresses anyway is read within the same limit. */
async function unpack(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (body.length === 0 || !Object.hasOwn(unpackers, name)) return body;
  try {
    return await unpackers[name]!(body, { maxOutputLength: maxBytes }); // Object.hasOwn was checked above.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw error;
  }
}

const flatHeaders = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );

async function encodeBody(
  body: HttpRequest['body'],
): Promise<{ body: string | Buffer | null; type: string | null }> {
  if (!(body instanceof FormData)) return { body: body ?? null, type: null };
  const encoded = new Response(body);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  return { body: bytes, type: encoded.headers.get('content-type') };
}

function outcomeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === 'RESTING') return 'circuit_open';
  if (code === 'DEADLINE' || String(code).endsWith('_TIMEOUT')) return 'timeout';
  if (error instanceof HttpClientError) return error.code.toLowerCase();
  return wasNeverSent(error) ? 'unreachable' : 'broken';
}

/** Waits, or rejects with the signal's reason. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
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
