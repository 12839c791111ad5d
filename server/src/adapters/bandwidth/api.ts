import { Agent, type Dispatcher } from 'undici';
import {
  CircuitBreaker,
  retryAfterSeconds,
  type Availability,
} from '../../platform/circuit-breaker.ts';
import type { Log } from '../../platform/log.ts';
import type { BandwidthSettings } from '../../platform/settings.ts';

/** Bandwidth's APIs by name; each has a host of its own. */
const hosts = {
  messaging: 'https://messaging.bandwidth.com/api/v2',
  voice: 'https://voice.bandwidth.com/api/v2',
  dashboard: 'https://dashboard.bandwidth.com/api',
  tollFree: 'https://api.bandwidth.com/api/v2',
} as const;
export type ApiName = keyof typeof hosts;

export interface BandwidthResponse {
  status: number;
  type: string;
  body: Buffer;
  location: string | null;
  retryAfter: string | null;
}
export interface BandwidthApi {
  request(
    api: ApiName,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: { type: string; text: string | Buffer },
  ): Promise<BandwidthResponse>;
  /** Anything of Bandwidth's by its full address (a picture). Null when the address is not one of Bandwidth's. */
  fetch(url: string): Promise<BandwidthResponse | null>;
  close(): Promise<void>;
  /** Of requests about calls. */
  readonly voiceBreaker: CircuitBreaker;
}

/** One request in all, however busily its answer drips; pictures and recordings take longer. Milliseconds. */
const requestTimeoutMs = 15_000;
const mediaTimeoutMs = 120_000;

/** Requests to Bandwidth over a pool of ours, with the account's Basic credentials. `apiUrl` stands in for every host, with the API's name before the path. */
export function openBandwidthApi(
  settings: BandwidthSettings,
  log: Log,
  now: () => Date,
): BandwidthApi {
  const agent = new Agent({
    connections: 16,
    headersTimeout: 10_000,
    bodyTimeout: 20_000,
    connectTimeout: 5_000,
  });
  const authorization = `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}`;
  const base = (api: ApiName) => (settings.apiUrl ? `${settings.apiUrl}/${api}` : hosts[api]);
  const request = async (
    address: string,
    method: Dispatcher.HttpMethod,
    body?: { type: string; text: string | Buffer },
    within = settings.patienceMs ?? requestTimeoutMs,
  ): Promise<BandwidthResponse> => {
    const url = new URL(address);
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: {
        authorization,
        accept: 'application/json, application/xml;q=0.9, */*;q=0.1',
        ...(body ? { 'content-type': body.type } : {}),
      },
      body: body?.text ?? null,
      signal: AbortSignal.timeout(within),
    });
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type'] ?? ''),
      body: Buffer.from(await answer.body.arrayBuffer()),
      location: (answer.headers['location'] as string | undefined) ?? null,
      retryAfter: (answer.headers['retry-after'] as string | undefined) ?? null,
    };
  };
  const calls = new CircuitBreaker('Bandwidth', now, (state, detail) =>
    log.warn(
      detail,
      state === 'open'
        ? 'Bandwidth is not responding for calls; pausing requests for a while'
        : 'Bandwidth is responding for calls again',
    ),
  );
  const verdict = ({ status, body, retryAfter }: BandwidthResponse): Availability =>
    status === 429 || status >= 500
      ? { away: true, retryAfterSeconds: retryAfterSeconds(retryAfter, now()) }
      : // What is no JSON was not said by Bandwidth, but by something on the way to it.
        status < 300 && !isJson(body)
        ? { away: true, retryAfterSeconds: null }
        : 'there';
  return {
    voiceBreaker: calls,
    request: (api, method, path, body) =>
      api === 'voice'
        ? calls.run(() => request(base(api) + path, method, body), verdict)
        : request(base(api) + path, method, body),
    // Only Bandwidth's own hosts see our credentials.
    fetch: async (url) =>
      (['messaging', 'voice'] as const).some((api) => url.startsWith(`${base(api)}/`))
        ? request(url, 'GET', undefined, mediaTimeoutMs)
        : null,
    close: () => agent.close(),
  };
}

/** A request that failed without an answer: certainly never taken, or nobody knows. */
export function wasNeverSent(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'RESTING'].includes(
    String((error as { code?: unknown }).code),
  );
}

function isJson(body: Buffer): boolean {
  if (body.length === 0) return true;
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
