import { sentences } from '#contract/sentences';
import type { Notice } from '../flash-store.ts';
import { refusalOf, saysUnauthenticated, speaksForItself, type Refusal } from './refusal.ts';
import { fillPath, formOf, isAbsolute, queryText, xsrfOf } from './wire.ts';

/** The shared request layer (A §7, A §8, B §8), free of React and of the browser: all it needs stands in `Surroundings`. */

export interface Call {
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
  once?: boolean | string;
  /** `false`: a 429 is refused at once instead of waited for (a locked log-in may ask for minutes). */
  waits?: boolean;
  /** `true` or a test: show no notice, the caller shows the refusal itself. A notice replaces the usual one. */
  quiet?: boolean | ((refusal: Refusal) => boolean);
  failure?: Notice;
  ifMatch?: string;
  signal?: AbortSignal | undefined;
}

export interface Surroundings {
  base: string;
  fetch: typeof fetch;
  cookies(): string;
  token(): string | null;
  isAdmin(): boolean;
  companyId(): number | null;
  supportEmail(): string;
  /** `isRead`: of something that was to be shown, which may say so itself. */
  notify(notice: Notice, isRead: boolean): void;
  /** Clears the session; the after-logout step follows 500 ms later. */
  logOut(): void;
  afterLogout(): void;
  wait(ms: number): Promise<void>;
  newKey(): string;
}

export interface Answered {
  body: unknown;
  headers: Headers;
}

const defaultWaitMs = 5000;
const retries = 3;
const reloginDelayMs = 500;
const errorNoticeMs = 10_000;
/** A call that was lost is repeated with its key for so long; later it counts as a new one. */
const lostKeyMs = 10 * 60_000;

export function makeRequest(around: Surroundings): (call: Call) => Promise<Answered> {
  /** Calls that are refused together fetch the cookie together. */
  let cookie: Promise<unknown> | null = null;
  const fetchCookie = (): Promise<unknown> =>
    (cookie ??= around
      .fetch(`${around.base}/csrf-cookie`, { credentials: 'include' })
      .finally(() => {
        cookie = null;
      }));
  const lost = new Map<string, { key: string; at: number }>();
  return async function request(call) {
    const [key, same] = keyFor(around, call, lost);
    let csrfTried = false;
    // A write by cookie cannot pass without the XSRF cookie: fetch it first instead of being refused for it.
    if (
      call.method !== 'GET' &&
      !isAbsolute(call.path) &&
      !around.token() &&
      !xsrfOf(around.cookies())
    )
      await fetchCookie().catch(() => null);
    for (let refusedFor429 = 0; ;) {
      const response = await reach(around, call, key);
      if (same !== null && response) lost.delete(same);
      if (response instanceof Response && response.ok)
        return { body: await bodyOf(response), headers: response.headers };
      const refusal =
        response instanceof Response
          ? refusalOf(response.status, await bodyOf(response))
          : refusalOf(0, null);

      if (refusal.status === 403 && refusal.code === 'csrf_mismatch' && !csrfTried) {
        csrfTried = true;
        await fetchCookie().catch(() => null);
        continue;
      }
      if (refusal.status === 429 && call.waits !== false && refusedFor429 < retries) {
        if (refusedFor429 === 0) around.notify({ type: 'warn', title: sentences.slowDown }, false);
        refusedFor429 += 1;
        await around.wait(retryAfterMs(response as Response));
        continue;
      }
      if (saysUnauthenticated(refusal) && !call.skipsSessionCheck) {
        around.logOut();
        void around.wait(reloginDelayMs).then(() => around.afterLogout());
        throw refusal;
      }
      if (same !== null && key && !response) lost.set(same, { key, at: Date.now() });
      tell(around, call, refusal);
      throw refusal;
    }
  };
}

/** The Idempotency-Key of a call, and what makes another call the same as this one. */
function keyFor(
  around: Surroundings,
  call: Call,
  lost: Map<string, { key: string; at: number }>,
): [key: string | null, same: string | null] {
  if (!call.once || call.method !== 'POST') return [null, null];
  if (typeof call.once === 'string') return [call.once, null];
  const same = JSON.stringify(
    [call.path, call.params, call.query, call.body, around.companyId()],
    (_, value: unknown) =>
      value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  const before = lost.get(same);
  const isRecent = before && Date.now() - before.at < lostKeyMs;
  return [isRecent ? before.key : around.newKey(), same];
}

async function reach(
  around: Surroundings,
  call: Call,
  key: string | null,
): Promise<Response | null> {
  const [url, init] = shape(around, call, key);
  try {
    return await around.fetch(url, init);
  } catch (problem) {
    if (call.signal?.aborted) throw problem;
    return null;
  }
}

function shape(around: Surroundings, call: Call, key: string | null): [string, RequestInit] {
  const companyId = around.companyId();
  const absolute = isAbsolute(call.path);
  const url =
    (absolute ? call.path : around.base + fillPath(call.path, call.params, companyId)) +
    queryText(call.query, companyId);
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = around.token();
  const xsrf = absolute ? null : xsrfOf(around.cookies());
  if (token && !absolute) headers['authorization'] = `Bearer ${token}`;
  if (xsrf) headers['x-xsrf-token'] = xsrf;
  if (around.isAdmin() && !absolute) headers['isAdmin'] = 'true';
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
      init.body = formOf(call.body as object, call.method);
      init.method = 'POST';
    } else {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(call.body);
    }
  }
  return [url, init];
}

async function bodyOf(response: Response): Promise<unknown> {
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

function tell(around: Surroundings, call: Call, refusal: Refusal): void {
  if (typeof call.quiet === 'function' ? call.quiet(refusal) : call.quiet) return;
  const { failure } = call;
  const isRead = call.method === 'GET';
  if (failure && refusal.status === 0)
    return around.notify(
      { type: 'danger', ms: errorNoticeMs, ...failure, detail: refusal.text },
      isRead,
    );
  if (failure) return around.notify({ type: 'danger', ms: errorNoticeMs, ...failure }, isRead);
  around.notify({ ...noticeOf(refusal, around.supportEmail()), ms: errorNoticeMs }, isRead);
}

/** The notice of a refusal: the server's own words, or the sentence for what nobody foresaw. */
export function noticeOf(refusal: Refusal, supportEmail: string): Notice {
  if (refusal.status === 401) return { type: 'danger', title: sentences.unauthorized };
  if (!speaksForItself(refusal) || refusal.problems.length === 0)
    return { type: 'danger', title: sentences.unknownWithEmail.replace('{email}', supportEmail) };
  const [first, ...more] = refusal.problems;
  if (more.length === 0 && first)
    return first.title
      ? { type: 'danger', title: first.title, detail: first.detail }
      : { type: 'danger', title: first.detail };
  return {
    type: 'danger',
    title: '',
    lines: refusal.problems.map((p) => (p.title ? `${p.title}: ${p.detail}` : p.detail)),
  };
}
