import type { CircuitBreaker } from '../../platform/circuit-breaker.ts';
import type { HttpClient, HttpRequest } from '../../platform/http-client/http-client.ts';
import type { Log } from '../../platform/log.ts';
import { openCarrierHttp } from '../shared/carrier-http.ts';
import type { BandwidthSettings } from './settings.ts';

/** Bandwidth's APIs by name; each has a host of its own. */
const hosts = {
  messaging: 'https://messaging.bandwidth.com/api/v2',
  voice: 'https://voice.bandwidth.com/api/v2',
  dashboard: 'https://dashboard.bandwidth.com/api',
  tollFree: 'https://api.bandwidth.com/api/v2',
} as const;
type ApiName = keyof typeof hosts;

export interface BandwidthResponse {
  status: number;
  type: string;
  body: Buffer;
  location: string | null;
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

/** Copies of recordings and pictures take longer than requests. Milliseconds, bytes. */
const mediaTimeoutMs = 120_000;
const largestMedia = 600 * 1024 * 1024;

/** Requests to Bandwidth over a pool of ours, with the account's Basic credentials. `apiUrl` stands in for every host, with the API's name before the path. */
export function openBandwidthApi(
  settings: BandwidthSettings,
  log: Log,
  now: () => Date,
): BandwidthApi {
  const authorization = `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}`;
  const base = (api: ApiName) => (settings.apiUrl ? `${settings.apiUrl}/${api}` : hosts[api]);
  const ask = async (
    client: HttpClient,
    url: string,
    { headers, ...request }: HttpRequest,
  ): Promise<BandwidthResponse> => {
    const answer = await client.request(url, {
      ...request,
      headers: {
        authorization,
        accept: 'application/json, application/xml;q=0.9, */*;q=0.1',
        ...headers,
      },
    });
    return {
      status: answer.status,
      type: answer.headers['content-type'] ?? '',
      body: answer.body,
      location: answer.headers['location'] ?? null,
    };
  };
  const {
    api: client,
    callApi,
    voiceBreaker,
    close,
  } = openCarrierHttp('Bandwidth', 'bandwidth', {
    limits: settings,
    log,
    now,
  });
  return {
    voiceBreaker,
    request: (api, method, path, body) =>
      ask(api === 'voice' ? callApi : client, base(api) + path, {
        method,
        ...(body && { body: body.text, headers: { 'content-type': body.type } }),
      }),
    // Only Bandwidth's own hosts see our credentials.
    fetch: async (url) =>
      (['messaging', 'voice'] as const).some((api) => url.startsWith(`${base(api)}/`))
        ? ask(client, url, { attempts: 2, totalMs: mediaTimeoutMs, maxBytes: largestMedia })
        : null,
    close,
  };
}
