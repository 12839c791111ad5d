import type { Dispatcher } from 'undici';
import type { Availability, CircuitBreaker } from '../circuit-breaker.ts';
import type { PublicInternet } from './public-connector.ts';

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

export interface HttpResponse {
  status: number;
  /** Where redirects led to. */
  url: string;
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
