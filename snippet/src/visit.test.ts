// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVisit, type Session } from './visit.ts';

const browser = (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM;

/** A page of the site, opened in the same browser. */
function open(address: string): ReturnType<typeof createVisit> {
  browser.setURL(address);
  const visit = createVisit();
  visit.begin();
  return visit;
}
const site = 'https://shop.example.com';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T12:00:00Z') });
  browser.setURL(site);
  localStorage.clear();
  createVisit().consent(false);
});
afterEach(() => vi.useRealTimers());

test('without consent nothing is stored, and the visit is known on this page only', () => {
  const { visitorId, sessionId, landing } = open(`${site}/?utm_source=news&x=1`).session();
  expect({ visitorId, sessionId }).toEqual({ visitorId: null, sessionId: null });
  expect(landing.params).toEqual({ utm_source: 'news' });
  expect(document.cookie).toBe('');
  expect(localStorage.length).toBe(0);
});

test('with consent a visitor is recognized on the next page, and the visit keeps its landing page', () => {
  const first = open(`${site}/offer?gclid=abc&utm_medium=cpc&password=secret`);
  first.consent(true);
  const begun = first.session();
  expect(begun.visitorId).toMatch(/^[0-9a-f]{32}$/);
  expect(begun.sessionId).toMatch(/^[0-9a-f]{32}$/);
  expect(begun.landing.params).toEqual({ gclid: 'abc', utm_medium: 'cpc' });
  expect(open(`${site}/contact`).session()).toEqual(begun);
});

test('after 30 minutes without a page view the same visitor starts a new session', () => {
  const first = open(`${site}/?gclid=abc`);
  first.consent(true);
  const at = (minutes: number, address: string): Session => {
    vi.setSystemTime(new Date('2026-11-23T12:00:00Z').getTime() + minutes * 60_000);
    return open(address).session();
  };
  expect(at(29, `${site}/a`).sessionId).toBe(first.session().sessionId);
  // Each page view restarts the 30 minutes.
  expect(at(58, `${site}/b`).landing.params).toEqual({ gclid: 'abc' });
  const later = at(89, `${site}/c`);
  expect(later.visitorId).toBe(first.session().visitorId);
  expect(later.sessionId).not.toBe(first.session().sessionId);
  expect(later.landing).toMatchObject({ url: `${site}/c`, params: {} });
});

test('withdrawing consent deletes everything that was stored', () => {
  const visit = open(`${site}/`);
  visit.consent(true);
  visit.consent(false);
  expect(visit.session().visitorId).toBeNull();
  expect(document.cookie).toBe('');
  expect(localStorage.length).toBe(0);
  expect(open(`${site}/a`).session().visitorId).toBeNull();
});

test('a tampered cookie is not accepted as an id', () => {
  document.cookie = '_dni_v=<script>; path=/';
  const visit = open(`${site}/`);
  expect(visit.session().visitorId).toBeNull();
  visit.consent(true);
  expect(visit.session().visitorId).toMatch(/^[0-9a-f]{32}$/);
});

test('an unreadable landing page is replaced by the current page', () => {
  open(`${site}/?gclid=abc`).consent(true);
  localStorage.setItem('_dni_s', '{');
  expect(open(`${site}/next`).session().landing.url).toBe(`${site}/next`);
});
