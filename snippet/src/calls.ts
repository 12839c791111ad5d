import type { Swap } from './numbers.ts';

/** What the server says about a visit. */
export interface Opened {
  visitorId: string | null;
  sessionId: string | null;
  swaps: Swap[];
  /** Seconds; 0: none. */
  heartbeat: number;
  capture: { cookies: string[] };
  /** True: `extras.js` has something to do on this page. */
  extras?: boolean;
}

/** After so long an answer isn't waited for. */
const GIVE_UP_MS = 10_000;

/** Calls our server; null when it can't be reached, refuses or is too slow. Never rejects. */
export async function call<T>(url: string, body: object): Promise<T | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      // Goes as plain text, which needs no question before it: that would cost a second trip.
      body: JSON.stringify(body),
      // A website's own subdomain sets a cookie that lasts; elsewhere there is none.
      credentials: 'include',
      // Browsers from before 2022 wait; a late answer changes nothing on the page either way.
      signal: AbortSignal.timeout?.(GIVE_UP_MS) ?? null,
    });
    // Refusals have no data, and what is no JSON throws.
    return ((await answer.json()) as { data?: T }).data ?? null;
  } catch {
    return null;
  }
}

/** Sends something while the page is left; nobody hears the answer. Throws where it is blocked. */
export function sendAtEnd(url: string, body: object): void {
  navigator.sendBeacon(url, JSON.stringify(body));
}
