import { readCookies, writeCookie } from './cookies.ts';
import type { Swap } from './numbers.ts';

const VISITOR = '_dni_v';
const SESSION = '_dni_s';
const COPY = '_dni';
/** Seconds; the longest that browsers keep a cookie. Safari keeps one set by a script for 7 days. */
const VISITOR_SECONDS = 400 * 24 * 60 * 60;
const SESSION_SECONDS = 30 * 60;

/** What is kept of a visit between two pages of a website. */
export interface Kept {
  /** Company key: another company's script on the same website has a visit of its own. */
  k?: string;
  visitorId?: string | null;
  sessionId?: string | null;
  /** Epoch ms of the last page. */
  at?: number;
  /** The visitor agreed or refused on an earlier page. */
  consent?: boolean;
  swaps?: Swap[];
  /** Epoch ms until which the numbers are the visitor's. */
  until?: number;
  /** Names of the cookies to send. */
  cookies?: string[];
}

const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{8,200}$/.test(text);

/** `sessionStorage` is for visitors who stay anonymous: gone with the tab. */
type Store = 'localStorage' | 'sessionStorage';

function readCopy(store: Store, key: string): Kept | null {
  try {
    const kept = JSON.parse(window[store].getItem(COPY) ?? '') as Kept;
    return kept.k === key ? kept : null;
  } catch {
    return null;
  }
}

function write(store: Store, kept: Kept): void {
  try {
    window[store].setItem(COPY, JSON.stringify(kept));
  } catch {
    // Storage is full or switched off: the next page begins anew.
  }
}

/** What an earlier page of this website kept of the visit with this company's numbers. */
export function readVisit(key: string): Kept {
  const copy = readCopy('localStorage', key) ?? readCopy('sessionStorage', key) ?? {};
  const cookies = readCookies([VISITOR, SESSION]);
  const isRunning = Date.now() - (copy.at ?? 0) < SESSION_SECONDS * 1000;
  const visitorId = cookies[VISITOR] || copy.visitorId;
  const sessionId = cookies[SESSION] || (isRunning && copy.sessionId);
  return {
    ...copy,
    visitorId: isId(visitorId) ? visitorId : null,
    sessionId: isId(sessionId) ? sessionId : null,
  };
}

/** Keeps a visit for the next page: a visitor without an ID only in this tab. */
export function keepVisit(key: string, kept: Kept): void {
  const { visitorId, sessionId } = kept;
  const copy = { ...kept, k: key, at: Date.now() };
  if (!visitorId) return write('sessionStorage', copy);
  writeCookie(VISITOR, visitorId, VISITOR_SECONDS);
  if (sessionId) writeCookie(SESSION, sessionId, SESSION_SECONDS);
  write('localStorage', copy);
}

/** Forgets the visitor. That they refused is kept, so that the next page asks for nothing. */
export function forgetVisit(key: string): void {
  writeCookie(VISITOR, '', -1);
  writeCookie(SESSION, '', -1);
  write('sessionStorage', {});
  write('localStorage', { k: key, consent: false });
}
