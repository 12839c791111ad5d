import { deleteCookie, readCookie, writeCookie } from './cookies.ts';

/** Where a visit began, as the page's address and the browser told it. */
export interface Landing {
  url: string;
  /** Empty when the browser names none. */
  referrer: string;
  /** Campaign parameters and click ids of the address, by their names. */
  params: Record<string, string>;
  /** Milliseconds since 1970. */
  at: number;
}
export interface Session {
  /** Null until the visitor agreed: nothing is stored, and nobody is recognized. */
  visitorId: string | null;
  sessionId: string | null;
  landing: Landing;
}

const visitorCookie = '_dni_v';
const sessionCookie = '_dni_s';
/** As long as browsers keep a cookie at most; Safari keeps one of a script for 7 days. */
const visitorSeconds = 400 * 24 * 60 * 60;
const sessionSeconds = 30 * 60;
/** What ad platforms put into the addresses they lead to. */
const clickIds = /^(gclid|gbraid|wbraid|msclkid|fbclid|ttclid|li_fat_id|twclid)$/;
const idPattern = /^[0-9a-f]{32}$/;

/** The campaign parameters of an address. Of one that comes twice the first counts. */
export function campaignParams(search: string): Record<string, string> {
  const params: Record<string, string> = {};
  new URLSearchParams(search).forEach((value, name) => {
    if ((name.startsWith('utm_') || clickIds.test(name)) && value && !(name in params))
      params[name] = value.slice(0, 500);
  });
  return params;
}

/**
 * One visitor on one page. Without the visitor's consent nothing is stored; whoever agreed before
 * still has their cookie and is recognized by it.
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
    // Without cookies nobody is recognized on the next page: then nobody is on this one.
    if (knownId(visitorCookie) !== visitorId) {
      visitorId = sessionId = null;
      return;
    }
    const first = running && storedLanding(running);
    if (first) landing = first;
    else keepLanding(sessionId, landing);
  }

  return {
    /** Goes on with the visit of somebody who agreed on an earlier page. */
    begin(): void {
      if (knownId(visitorCookie)) store();
    },
    /** The visitor agrees: the visit is stored from now on. Or does not: all of it is forgotten. */
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
    /** The visit as it is known on this page. */
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

/** Where the running session began; null when it is not known any more. */
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
