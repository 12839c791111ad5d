import { sentences } from '#contract/sentences';
import type { ToastContent } from '../toast.ts';
import { errorToast } from './error-toast.ts';
import { toApiError, isUnauthenticated, type ApiError } from './error.ts';
import { fillPath, encodeForm, isAbsolute, encodeQuery, readXsrfToken } from './encode.ts';

/**
 * The shared request layer (A §7, A §8, B §8), without React and browser APIs; its dependencies are
 * in `ApiConfig`.
 */

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the API base, with `{name}` or `:name` placeholders; or an absolute URL. */
  path: string;
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  multipart?: boolean;
  /** A 401 does not sign out: login, organization and admin changes (A §4, B §4). */
  skipsSessionCheck?: boolean;
  /** Cookies are sent beside the token: the server needs another one than the session's. */
  sendsCookies?: boolean;
  /**
   * Sends an Idempotency-Key with this POST: the same for retries and for an equal call after a
   * network error, as the server may have processed the first. A string is the key itself.
   */
  idempotencyKey?: boolean | string;
  /**
   * `false`: a 429 fails at once instead of being retried (a locked sign-in can ask for minutes).
   */
  retryOn429?: boolean;
  /** `true` or a predicate: no toast, as the caller shows the error. */
  silent?: boolean | ((error: ApiError) => boolean);
  failure?: ToastContent;
  ifMatch?: string;
  signal?: AbortSignal | undefined;
}

/** Whether an expired session could be renewed; `unreachable`: no one knows yet. */
export type Renewal = 'renewed' | 'ended' | 'unreachable';

export interface ApiConfig {
  base: string;
  fetch: typeof fetch;
  cookies(): string;
  token(): string | null;
  isAdmin(): boolean;
  companyId(): number | null;
  supportEmail(): string;
  /** `isRead`: the failed call was a read, whose screen may show the error itself. */
  notify(notice: ToastContent, isRead: boolean): void;
  /** Gets new tokens where an app has any to get. */
  renewSession(): Promise<Renewal>;
  /** Clears the session; `afterLogout` follows 500 ms later. */
  logOut(): void;
  afterLogout(): void;
  /** Asks the person to confirm who they are; resolves to whether they did. */
  confirmIdentity(): Promise<boolean>;
  wait(ms: number): Promise<void>;
  newKey(): string;
}

export interface ApiResponse {
  body: unknown;
  headers: Headers;
}

const defaultWaitMs = 5000;
const retries = 3;
const busyRetries = 2;
const reloginDelayMs = 500;
const errorNoticeMs = 10_000;
/** How long a call after a network error reuses its key. */
const lostKeyTtlMs = 10 * 60_000;

/**
 * Makes the function that sends API requests with session, XSRF token and idempotency key (A §7).
 * It retries after 419 and 429, reads also when the server is busy, and throws `ApiError` for all other failures.
 */
export function createRequest(config: ApiConfig): (call: ApiCall) => Promise<ApiResponse> {
  /** Concurrent calls share one request for the cookie. */
  let cookie: Promise<unknown> | null = null;
  const fetchCookie = (): Promise<unknown> =>
    (cookie ??= config
      .fetch(`${config.base}/csrf-cookie`, { credentials: 'include' })
      .finally(() => {
        cookie = null;
      }));
  const lost = new Map<string, { key: string; at: number }>();
  return async function request(call) {
    const [key, fingerprint] = idempotencyKeyFor(config, call, lost);
    let csrfTried = false;
    let renewalTried = false;
    // A write with the session cookie needs the XSRF cookie: fetch it first instead of after a
    // refusal.
    if (
      call.method !== 'GET' &&
      !isAbsolute(call.path) &&
      !config.token() &&
      !readXsrfToken(config.cookies())
    )
      await fetchCookie().catch(() => null);
    for (let refusedFor429 = 0, timesBusy = 0; ;) {
      const response = await fetchOrNull(config, call, key);
      if (fingerprint !== null && response) lost.delete(fingerprint);
      if (response instanceof Response && response.ok)
        return { body: await readBody(response), headers: response.headers };
      const error =
        response instanceof Response
          ? toApiError(response.status, await readBody(response))
          : toApiError(0, null);

      if (error.status === 403 && error.code === 'csrf_mismatch' && !csrfTried) {
        csrfTried = true;
        await fetchCookie().catch(() => null);
        continue;
      }
      // A dangerous action: ask who is there, then repeat it.
      if (error.status === 403 && error.code === 'confirmation.required') {
        if (await config.confirmIdentity()) continue;
        throw error;
      }
      if (error.status === 429 && call.retryOn429 !== false && refusedFor429 < retries) {
        if (refusedFor429 === 0) config.notify({ type: 'warn', title: sentences.slowDown }, false);
        refusedFor429 += 1;
        await config.wait(retryAfterMs(response as Response));
        continue;
      }
      if (error.code === 'busy' && call.method === 'GET' && timesBusy < busyRetries) {
        timesBusy += 1;
        const waitMs = Math.min(retryAfterMs(response as Response), defaultWaitMs);
        // Not all at the same moment: everyone who was refused is told the same time.
        await config.wait(waitMs * (1 + Math.random() / 2));
        continue;
      }
      if (isUnauthenticated(error) && !call.skipsSessionCheck) {
        if (!(await renewOrLogOut(config, renewalTried))) throw error;
        renewalTried = true;
        continue;
      }
      if (fingerprint !== null && key && !response) lost.set(fingerprint, { key, at: Date.now() });
      notifyError(config, call, error);
      throw error;
    }
  };
}

/** False: the session has ended. @throws ApiError with status 0 while no one can tell */
async function renewOrLogOut(config: ApiConfig, isSecondTry: boolean): Promise<boolean> {
  const renewal = isSecondTry ? 'ended' : await config.renewSession();
  if (renewal === 'renewed') return true;
  if (renewal === 'unreachable') throw toApiError(0, null);
  config.logOut();
  void config.wait(reloginDelayMs).then(() => config.afterLogout());
  return false;
}

/** The Idempotency-Key of a call, and the fingerprint by which an equal call is recognized. */
function idempotencyKeyFor(
  config: ApiConfig,
  call: ApiCall,
  lost: Map<string, { key: string; at: number }>,
): [key: string | null, same: string | null] {
  if (!call.idempotencyKey || call.method !== 'POST') return [null, null];
  if (typeof call.idempotencyKey === 'string') return [call.idempotencyKey, null];
  const fingerprint = JSON.stringify(
    [call.path, call.params, call.query, call.body, config.companyId()],
    (_, value: unknown) =>
      value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  const before = lost.get(fingerprint);
  const isRecent = before && Date.now() - before.at < lostKeyTtlMs;
  return [isRecent ? before.key : config.newKey(), fingerprint];
}

async function fetchOrNull(
  config: ApiConfig,
  call: ApiCall,
  key: string | null,
): Promise<Response | null> {
  const [url, init] = buildRequest(config, call, key);
  try {
    return await config.fetch(url, init);
  } catch (problem) {
    if (call.signal?.aborted) throw problem;
    return null;
  }
}

function buildRequest(config: ApiConfig, call: ApiCall, key: string | null): [string, RequestInit] {
  const companyId = config.companyId();
  const absolute = isAbsolute(call.path);
  const url =
    (absolute ? call.path : config.base + fillPath(call.path, call.params, companyId)) +
    encodeQuery(call.query, companyId);
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = config.token();
  const xsrf = absolute ? null : readXsrfToken(config.cookies());
  if (token && !absolute) headers['authorization'] = `Bearer ${token}`;
  if (xsrf) headers['x-xsrf-token'] = xsrf;
  if (config.isAdmin() && !absolute) headers['isAdmin'] = 'true';
  if (key) headers['idempotency-key'] = key;
  if (call.ifMatch) headers['if-match'] = call.ifMatch;
  const init: RequestInit = {
    method: call.method,
    headers,
    credentials: token && !call.sendsCookies ? 'omit' : 'include',
    signal: call.signal ?? null,
  };
  if (call.body !== undefined && call.method !== 'GET') {
    if (call.multipart) {
      init.body = encodeForm(call.body as object, call.method);
      init.method = 'POST';
    } else {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(call.body);
    }
  }
  return [url, init];
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Retry-After` (whole seconds, A1) in ms; absent or invalid: 5000. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : defaultWaitMs;
}

function notifyError(config: ApiConfig, call: ApiCall, error: ApiError): void {
  if (typeof call.silent === 'function' ? call.silent(error) : call.silent) return;
  const [failure, isRead] = [call.failure, call.method === 'GET'];
  if (failure) {
    const detail = error.status === 0 && { detail: error.text };
    return config.notify({ type: 'danger', ms: errorNoticeMs, ...failure, ...detail }, isRead);
  }
  config.notify({ ...errorToast(error, config.supportEmail()), ms: errorNoticeMs }, isRead);
}
