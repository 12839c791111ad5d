import { deleteCookie, readCookie, writeCookie } from './cookies.ts';

/** Where a visit started, from the page's URL and the browser. */
interface Landing {
  url: string;
  /** Empty when the browser sends none. */
  referrer: string;
  /** Campaign parameters and click ids in the URL, by name. */
  params: Record<string, string>;
  /** Epoch ms. */
  at: number;
}
export interface Session {
  /** Null until the visitor consents: until then nothing is stored and no one is recognized. */
  visitorId: string | null;
  sessionId: string | null;
  landing: Landing;
}

const visitorCookie = '_dni_v';
const sessionCookie = '_dni_s';
/**
 * Seconds; the longest that browsers keep a cookie. Safari keeps one set by a script for 7 days.
 */
const visitorSeconds = 400 * 24 * 60 * 60;
const sessionSeconds = 30 * 60;
/** Click ids that ad platforms add to the URLs they link to. */
const clickIds = /^(gclid|gbraid|wbraid|msclkid|fbclid|ttclid|li_fat_id|twclid)$/;
const idPattern = /^[0-9a-f]{32}$/;

/** The campaign parameters of a URL. Of a repeated one the first counts. */
function campaignParams(search: string): Record<string, string> {
  const params: Record<string, string> = {};
  new URLSearchParams(search).forEach((value, name) => {
    if ((name.startsWith('utm_') || clickIds.test(name)) && value && !(name in params))
      params[name] = value.slice(0, 500);
  });
  return params;
}

/**
 * One visitor on one page. Without consent nothing is stored; a visitor who consented earlier still
 * has the cookie and is recognized by it.
 */
export function createVisit() {
  let landing: Landing = {
    url: location.href,
    referrer: document.referrer,
    params: campaignParams(location.search),
    at: Date.now(),
  };
  let visitorId: string | null = null;
  let sessionId: string | null = null;

  function store(): void {
    visitorId = knownId(visitorCookie) ?? randomId();
    const running = knownId(sessionCookie);
    sessionId = running ?? randomId();
    writeCookie(visitorCookie, visitorId, visitorSeconds);
    writeCookie(sessionCookie, sessionId, sessionSeconds);
    // Without cookies no one can be recognized on the next page, so the visit has no id on this one
    // either.
    if (knownId(visitorCookie) !== visitorId) {
      visitorId = sessionId = null;
      return;
    }
    const first = running && storedLanding(running);
    if (first) landing = first;
    else keepLanding(sessionId, landing);
  }

  return {
    /** Continues the visit of someone who consented on an earlier page. */
    begin(): void {
      if (knownId(visitorCookie)) store();
    },
    /** Consent given: the visit is stored from now on. Consent withdrawn: everything is deleted. */
    consent(given: boolean): void {
      if (given) return store();
      visitorId = sessionId = null;
      deleteCookie(visitorCookie);
      deleteCookie(sessionCookie);
      try {
        localStorage.removeItem(sessionCookie);
      } catch {
        // Storage is switched off: nothing lies there.
      }
    },
    /** The visit as known on this page. */
    session: (): Session => ({ visitorId, sessionId, landing }),
  };
}

function knownId(cookie: string): string | null {
  const value = readCookie(cookie);
  return value !== null && idPattern.test(value) ? value : null;
}

/** 128 random bits. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** When the running session began; null when that is not known anymore. */
function storedLanding(sessionId: string): Landing | null {
  try {
    const { id, landing } = JSON.parse(localStorage.getItem(sessionCookie) ?? '') as {
      id: string;
      landing: Landing;
    };
    return id === sessionId && landing ? landing : null;
  } catch {
    return null;
  }
}

function keepLanding(sessionId: string, landing: Landing): void {
  try {
    localStorage.setItem(sessionCookie, JSON.stringify({ id: sessionId, landing }));
  } catch {
    // Storage is full or switched off: the next page counts as the landing.
  }
}
