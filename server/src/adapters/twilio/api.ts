import { createRequire } from 'node:module';
import type Twilio from 'twilio';
import { CircuitBreaker } from '../../platform/circuit-breaker.ts';
import { wasNeverSent } from '../../platform/http-client/errors.ts';
import {
  createHttpClient,
  jsonApiAvailability,
  parseJson,
} from '../../platform/http-client/http-client.ts';
import type { Log } from '../../platform/log.ts';
import { accountProblemError, type AccountProblem } from '../../gateways/carrier.ts';
import type { TwilioSettings } from './settings.ts';

type Client = InstanceType<typeof Twilio.Twilio>;
export type Sdk = typeof Twilio;
export interface TwilioApi {
  readonly client: Client;
  readonly sdk: Sdk;
  get(url: string): Promise<{ status: number; type: string; bytes: Buffer }>;
  upload(url: string, form: FormData): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
  /** Of requests about calls. */ readonly voiceBreaker: CircuitBreaker;
}

/** Loading the SDK takes 150 ms, which only those pay who use it. */
let loaded: Sdk | null = null;
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
/** Requests that ring, steer, record or look for calls. */
const isCallRequest = (uri: string) => /\/Accounts\/[^/]+\/Calls[./?]/.test(`${uri}?`);

/**
 * Twilio's API by its own SDK over a pool of ours. `apiUrl` sends every request to another origin,
 * with the host it was meant for in `x-twilio-host`: the SDK's own `edge` and `region` cannot.
 */
export function openTwilioApi(settings: TwilioSettings, log: Log, now: () => Date): TwilioApi {
  const there = (address: string) => {
    const meant = new URL(address);
    return settings.apiUrl
      ? {
          url: settings.apiUrl + meant.pathname + meant.search,
          extra: { 'x-twilio-host': meant.host },
        }
      : { url: meant.href, extra: {} };
  };
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const auth = settings.apiKey
    ? { user: settings.apiKey.sid, password: settings.apiKey.secret }
    : { user: settings.accountSid, password: settings.authToken };

  const calls = new CircuitBreaker('Twilio', now, (state, detail) =>
    log.warn(
      detail,
      state === 'open'
        ? 'Twilio is not responding for calls; pausing requests for a while'
        : 'Twilio is responding for calls again',
    ),
  );
  const shared = {
    target: 'twilio',
    now,
    ...(settings.patienceMs && { totalMs: settings.patienceMs }),
  };
  const api = createHttpClient(shared);
  // Requests about calls rest while Twilio is away.
  const callApi = createHttpClient({
    ...shared,
    circuit: { breaker: calls, availability: jsonApiAvailability(now) },
  });

  const httpClient = {
    async request(asked: SdkRequest): Promise<SdkResponse> {
      const address = new URL(asked.uri);
      for (const [key, value] of formFields(asked.params)) address.searchParams.append(key, value);
      const { url, extra } = there(address.href);
      const headers = {
        ...asked.headers,
        ...extra,
        ...(asked.username ? { authorization: basic(asked.username, asked.password ?? '') } : {}),
      };
      const sent = requestBody(asked);
      const answer = await (isCallRequest(asked.uri) ? callApi : api).request(url, {
        method: asked.method.toUpperCase(),
        headers,
        ...(sent !== null && { body: sent }),
      });
      // What is no JSON goes on as it came.
      const body = parseJson(answer.body) ?? answer.body.toString('utf8');
      return { statusCode: answer.status, body, headers: answer.headers };
    },
  };
  let client: Client | null = null;
  return {
    voiceBreaker: calls,
    get sdk() {
      return sdk();
    },
    get client() {
      return (client ??= new (sdk().Twilio)(auth.user, auth.password, {
        accountSid: settings.accountSid,
        httpClient: httpClient as never,
      }));
    },
    async get(address) {
      const { url, extra } = there(address);
      // Media are handed on to another host, which must not see who asks: the client drops credentials on the way there.
      const answer = await api.request(url, {
        headers: { ...extra, authorization: basic(settings.accountSid, settings.authToken) },
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
    },
    async upload(address, form) {
      const { url, extra } = there(address);
      const answer = await api.request(url, {
        method: 'POST',
        body: form,
        headers: { ...extra, authorization: basic(auth.user, auth.password) },
        totalMs: 60_000,
      });
      return { status: answer.status, body: parseJson(answer.body) ?? null };
    },
    close: async () => {
      await Promise.all([api.close(), callApi.close()]);
    },
  };
}

/** Nearly all of it takes forms; what was made later takes JSON and says so. */
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
 * What an error of the SDK says about the request: Twilio said no, it was certainly never taken, or
 * nobody knows.
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
  // Too many requests and "not now" are said before anything is done.
  if (status === 429 || status === 503) return { is: 'untouched', reason };
  if (status !== undefined && status >= 400 && status < 500)
    return { is: 'refused', status, code: Number(code) || 0, reason };
  if (status === undefined && wasNeverSent(error)) return { is: 'untouched', reason };
  return { is: 'unknown', reason };
}

/**
 * Twilio's codes for what is wrong with our account, or missing there. Others are told in Twilio's
 * own words.
 */
const accountTroubles: Readonly<Record<number, AccountProblem>> = {
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
/** Twilio said no: thrown as a sentence. Anything else is thrown as it came. */
export function rethrowRefusal(error: unknown): never {
  const failure = classifyError(error);
  if (failure.is !== 'refused') throw error;
  const trouble =
    accountTroubles[failure.code] ??
    (failure.status === 401 ? 'credentials' : failure.status === 403 ? 'permission' : 'other');
  throw accountProblemError('Twilio', trouble, failure.reason);
}

/**
 * Reads our own account: what an operator should know of it, or null. Throws `CarrierRefused` when
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
