import { createRequire } from 'node:module';
import type Twilio from 'twilio';
import type { CircuitBreaker } from '../../platform/circuit-breaker.ts';
import { wasNeverSent } from '../../platform/http-client/errors.ts';
import { parseJson, type HttpClient } from '../../platform/http-client/http-client.ts';
import type { Log } from '../../platform/log.ts';
import { accountProblemError, type AccountProblem } from '../../gateways/carrier.ts';
import { openCarrierHttp } from '../shared/carrier-http.ts';
import type { TwilioSettings } from './settings.ts';

type Client = InstanceType<typeof Twilio.Twilio>;
type Sdk = typeof Twilio;
export interface TwilioApi {
  readonly client: Client;
  readonly sdk: Sdk;
  get(url: string): Promise<{ status: number; type: string; bytes: Buffer }>;
  upload(url: string, form: FormData): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
  /** Opens while Twilio does not respond for calls. */
  readonly voiceBreaker: CircuitBreaker;
}

/** Loading the SDK takes 150 ms, so it is loaded on first use. */
let loaded: Sdk | null = null;
/** Twilio's SDK, loaded at first use, since it is large and most installations don't need it. */
export const sdk = (): Sdk => (loaded ??= createRequire(import.meta.url)('twilio') as Sdk);

interface SdkRequest {
  method: string;
  uri: string;
  username?: string;
  password?: string;
  headers?: Record<string, string>;
  params?: object;
  data?: object;
  timeout?: number;
}

interface SdkResponse {
  statusCode: number;
  body: unknown;
  headers: Record<string, unknown>;
}
/** Copies of recordings and pictures take longer than requests. Milliseconds, bytes. */
const mediaTimeoutMs = 120_000;
const largestMedia = 600 * 1024 * 1024;
/** Requests that create, change, record or list calls. */
const isCallRequest = (uri: string) => /\/Accounts\/[^/]+\/Calls[./?]/.test(`${uri}?`);

/**
 * Twilio's API by its own SDK over our HTTP client. `apiUrl` sends every request to another origin,
 * with the host it was meant for in `x-twilio-host`: the SDK's own `edge` and `region` cannot.
 */
export function openTwilioApi(settings: TwilioSettings, log: Log, now: () => Date): TwilioApi {
  const { accountSid, authToken, apiKey } = settings;
  const http = openCarrierHttp('Twilio', 'twilio', { limits: settings, log, now });
  const [user, password] = apiKey ? [apiKey.sid, apiKey.secret] : [accountSid, authToken];
  // The SDK only calls `request`; its type asks for the whole of its own client class.
  const httpClient = {
    request: (asked: SdkRequest) =>
      sendForSdk(isCallRequest(asked.uri) ? http.callApi : http.api, settings, asked),
  } as Pick<Client['httpClient'], 'request'> as Client['httpClient'];
  let client: Client | null = null;
  return {
    voiceBreaker: http.voiceBreaker,
    get sdk() {
      return sdk();
    },
    get client() {
      return (client ??= new (sdk().Twilio)(user, password, { accountSid, httpClient }));
    },
    get: (address) => fetchMedia(http.api, settings, address),
    async upload(address, form) {
      const { url, headers } = destinationOf(settings, address);
      const answer = await http.api.request(url, {
        method: 'POST',
        body: form,
        headers: { ...headers, authorization: basicAuth(user, password) },
        totalMs: 60_000,
      });
      return { status: answer.status, body: parseJson(answer.body) ?? null };
    },
    close: () => http.close(),
  };
}

const basicAuth = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Where a request to one of Twilio's addresses goes. */
function destinationOf({ apiUrl }: TwilioSettings, address: string) {
  const { href, host, pathname, search } = new URL(address);
  return apiUrl
    ? { url: apiUrl + pathname + search, headers: { 'x-twilio-host': host } }
    : { url: href, headers: {} };
}

async function sendForSdk(
  client: HttpClient,
  settings: TwilioSettings,
  asked: SdkRequest,
): Promise<SdkResponse> {
  const address = new URL(asked.uri);
  for (const [key, value] of formFields(asked.params)) address.searchParams.append(key, value);
  const { url, headers } = destinationOf(settings, address.href);
  const { username, password = '' } = asked;
  const sent = requestBody(asked);
  const answer = await client.request(url, {
    method: asked.method.toUpperCase(),
    headers: {
      ...asked.headers,
      ...headers,
      ...(username ? { authorization: basicAuth(username, password) } : {}),
    },
    ...(sent !== null && { body: sent }),
  });
  // What is not JSON is passed on as text.
  const body = parseJson(answer.body) ?? answer.body.toString('utf8');
  return { statusCode: answer.status, body, headers: answer.headers };
}

async function fetchMedia(
  client: HttpClient,
  settings: TwilioSettings,
  address: string,
): ReturnType<TwilioApi['get']> {
  const { url, headers } = destinationOf(settings, address);
  // Media URLs redirect to another host, and the client sends no credentials there.
  const answer = await client.request(url, {
    headers: { ...headers, authorization: basicAuth(settings.accountSid, settings.authToken) },
    redirects: 5,
    attempts: 2,
    totalMs: mediaTimeoutMs,
    maxBytes: largestMedia,
  });
  return {
    status: answer.status,
    type: answer.headers['content-type'] ?? 'application/octet-stream',
    bytes: answer.body,
  };
}

/** Most of the API takes forms; newer parts take JSON, and the SDK sets the content type. */
function requestBody({ data, headers }: SdkRequest): string | null {
  if (!data) return null;
  return headers?.['Content-Type'] === 'application/json'
    ? JSON.stringify(data)
    : new URLSearchParams(formFields(data)).toString();
}

function formFields(values: object | undefined): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([key, value]) =>
    value === undefined || value === null
      ? []
      : (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
  );
}

/**
 * What an error of the SDK means for the request: Twilio refused it, it certainly had no effect, or
 * that is unknown.
 */
export function classifyError(
  error: unknown,
):
  | { is: 'refused'; status: number; code: number; reason: string }
  | { is: 'untouched'; reason: string }
  | { is: 'unknown'; reason: string } {
  const { status, code, message } = error as {
    status?: number;
    code?: number | string;
    message?: string;
  };
  const reason = message ?? String(error);
  // Twilio answers these two before it does anything.
  if (status === 429 || status === 503) return { is: 'untouched', reason };
  if (status !== undefined && status >= 400 && status < 500)
    return { is: 'refused', status, code: Number(code) || 0, reason };
  if (status === undefined && wasNeverSent(error)) return { is: 'untouched', reason };
  return { is: 'unknown', reason };
}

/** Twilio's codes for problems of our account. Other errors are shown in Twilio's words. */
const accountProblems: Readonly<Record<number, AccountProblem>> = {
  20003: 'credentials',
  20005: 'suspended',
  20006: 'permission',
  20008: 'credentials',
  30002: 'suspended',
  21215: 'permission',
  21404: 'trial',
  21608: 'trial',
  21219: 'trial',
  21631: 'address',
  21615: 'address',
  21651: 'address',
  21649: 'bundle',
  21650: 'bundle',
};
/** Throws a CarrierRejectedError when Twilio refused the request, and other errors unchanged. */
export function rethrowRefusal(error: unknown): never {
  const failure = classifyError(error);
  if (failure.is !== 'refused') throw error;
  const problem =
    accountProblems[failure.code] ??
    (failure.status === 401 ? 'credentials' : failure.status === 403 ? 'permission' : 'other');
  throw accountProblemError('Twilio', problem, failure.reason);
}

/**
 * Checks our account. Returns a warning for operators, or null. Throws CarrierRejectedError when
 * Twilio refuses it.
 */
export async function checkTwilioAccount({
  api,
  settings,
}: {
  api: TwilioApi;
  settings: TwilioSettings;
}): Promise<string | null> {
  const account = await api.client.api.v2010
    .accounts(settings.accountSid)
    .fetch()
    .catch(rethrowRefusal);
  if (account.status !== 'active') throw accountProblemError('Twilio', 'suspended');
  return account.type === 'Trial'
    ? 'Our Twilio account is a trial account and reaches only numbers verified there. An operator can upgrade it at Twilio.'
    : null;
}
