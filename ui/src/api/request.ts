import { sentences } from '#contract/sentences';
import type { ToastContent } from '../toast.ts';
import { toApiError, isUnauthenticated, hasOwnMessage, type ApiError } from './error.ts';
import { fillPath, encodeForm, isAbsolute, encodeQuery, readXsrfToken } from './encode.ts';

/** The shared request layer (A §7, A §8, B §8), free of React and of the browser: all it needs stands in `Surroundings`. */

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Address below the API base, with `{name}` or `:name` placeholders; or an absolute URL. */
  path: string;
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  multipart?: boolean;
  /** Login, organization and admin changes do not log out on 401 (A §4, B §4). */
  skipsSessionCheck?: boolean;
  /**
   * Send an Idempotency-Key with this POST; the same key goes with every repetition of this call, and with the same call
   * made again after the network was lost: the server may have taken the first one. A string is the key itself.
   */
  idempotencyKey?: boolean | string;
  /** `false`: a 429 is refused at once instead of waited for (a locked log-in may ask for minutes). */
  retryOn429?: boolean;
  /** `true` or a test: show no notice, the caller shows the refusal itself. A notice replaces the usual one. */
  silent?: boolean | ((error: ApiError) => boolean);
  failure?: ToastContent;
  ifMatch?: string;
  signal?: AbortSignal | undefined;
}

export interface ApiConfig {
  base: string;
  fetch: typeof fetch;
  cookies(): string;
  token(): string | null;
  isAdmin(): boolean;
  companyId(): number | null;
  supportEmail(): string;
  /** `isRead`: of something that was to be shown, which may say so itself. */
  notify(notice: ToastContent, isRead: boolean): void;
  /** Clears the session; the after-logout step follows 500 ms later. */
  logOut(): void;
  afterLogout(): void;
  wait(ms: number): Promise<void>;
  newKey(): string;
}

export interface ApiResponse {
  body: unknown;
  headers: Headers;
}

const defaultWaitMs = 5000;
const retries = 3;
const reloginDelayMs = 500;
const errorNoticeMs = 10_000;
/** A call that was lost is repeated with its key for so long; later it counts as a new one. */
const lostKeyTtlMs = 10 * 60_000;

export function createRequest(config: ApiConfig): (call: ApiCall) => Promise<ApiResponse> {
  /** Calls that are refused together fetch the cookie together. */
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
    // A write by cookie cannot pass without the XSRF cookie: fetch it first instead of being refused for it.
    if (
      call.method !== 'GET' &&
      !isAbsolute(call.path) &&
      !config.token() &&
      !readXsrfToken(config.cookies())
    )
      await fetchCookie().catch(() => null);
    for (let refusedFor429 = 0; ;) {
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
      if (error.status === 429 && call.retryOn429 !== false && refusedFor429 < retries) {
        if (refusedFor429 === 0) config.notify({ type: 'warn', title: sentences.slowDown }, false);
        refusedFor429 += 1;
        await config.wait(retryAfterMs(response as Response));
        continue;
      }
      if (isUnauthenticated(error) && !call.skipsSessionCheck) {
        config.logOut();
        void config.wait(reloginDelayMs).then(() => config.afterLogout());
        throw error;
      }
      if (fingerprint !== null && key && !response) lost.set(fingerprint, { key, at: Date.now() });
      notifyError(config, call, error);
      throw error;
    }
  };
}

/** The Idempotency-Key of a call, and what makes another call the same as this one. */
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
    credentials: token ? 'omit' : 'include',
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

/** `Retry-After` is in whole seconds (A1); absent or unreadable → 5000 ms. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : defaultWaitMs;
}

function notifyError(config: ApiConfig, call: ApiCall, error: ApiError): void {
  if (typeof call.silent === 'function' ? call.silent(error) : call.silent) return;
  const { failure } = call;
  const isRead = call.method === 'GET';
  if (failure && error.status === 0)
    return config.notify(
      { type: 'danger', ms: errorNoticeMs, ...failure, detail: error.text },
      isRead,
    );
  if (failure) return config.notify({ type: 'danger', ms: errorNoticeMs, ...failure }, isRead);
  config.notify({ ...errorToast(error, config.supportEmail()), ms: errorNoticeMs }, isRead);
}

/** The notice of a refusal: the server's own words, or the sentence for what nobody foresaw. */
export function errorToast(error: ApiError, supportEmail: string): ToastContent {
  if (error.status === 401) return { type: 'danger', title: sentences.unauthorized };
  if (!hasOwnMessage(error) || error.details.length === 0)
    return { type: 'danger', title: sentences.unknownWithEmail.replace('{email}', supportEmail) };
  const [first, ...more] = error.details;
  if (more.length === 0 && first)
    return first.title
      ? { type: 'danger', title: first.title, detail: first.detail }
      : { type: 'danger', title: first.detail };
  return {
    type: 'danger',
    title: '',
    lines: error.details.map((p) => (p.title ? `${p.title}: ${p.detail}` : p.detail)),
  };
}
