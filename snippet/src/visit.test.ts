// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetVisit, keepVisit, readVisit } from './visit.ts';

const browser = (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM;
const key = '1-kV3o8q0bXw2ZpA';
const visitorId = 'o7Jt1o2yS3G3l0QW7hJ0nA';
const sessionId = '1-c8-Ux2m9aQpLk3F';
const begin = new Date('2026-11-23T12:00:00Z');
const minutesLater = (minutes: number): void => {
  vi.setSystemTime(begin.getTime() + minutes * 60_000);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
  browser.setURL('https://shop.example.com/');
  localStorage.clear();
  sessionStorage.clear();
  forgetVisit(key);
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

test('a visitor is known on the next page, with the visit', () => {
  expect(readVisit(key)).toEqual({ visitorId: null, sessionId: null });
  keepVisit(key, { visitorId, sessionId, cookies: ['_ga'] });
  expect(document.cookie).toContain(`_dni_v=${visitorId}`);
  expect(readVisit(key)).toMatchObject({ visitorId, sessionId, cookies: ['_ga'] });
});

test('after 30 minutes the visitor is known, the visit isn’t', () => {
  keepVisit(key, { visitorId, sessionId });
  minutesLater(29);
  expect(readVisit(key)).toMatchObject({ visitorId, sessionId });
  minutesLater(31);
  document.cookie = '_dni_s=; max-age=-1; path=/';
  expect(readVisit(key)).toMatchObject({ visitorId, sessionId: null });
});

test('without cookies the copy in the browser’s storage says who it is', () => {
  keepVisit(key, { visitorId, sessionId });
  for (const name of ['_dni_v', '_dni_s'])
    for (const domain of ['', '; domain=example.com', '; domain=shop.example.com'])
      document.cookie = `${name}=; max-age=-1; path=/${domain}`;
  expect(readVisit(key)).toMatchObject({ visitorId, sessionId });
  expect(readVisit('2-another')).toEqual({ visitorId: null, sessionId: null });
});

test('an anonymous visit stays in its tab: no cookie, no visitor', () => {
  keepVisit(key, { visitorId: null, sessionId });
  expect(document.cookie).toBe('');
  expect(localStorage.length).toBe(0);
  expect(readVisit(key)).toMatchObject({ visitorId: null, sessionId });
});

test('who refused is forgotten, and only that they refused is kept', () => {
  keepVisit(key, { visitorId, sessionId });
  forgetVisit(key);
  expect(document.cookie).toBe('');
  expect(readVisit(key)).toMatchObject({ visitorId: null, sessionId: null, consent: false });
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(visitorId);
});

test('a tampered cookie or copy is not accepted as an id', () => {
  document.cookie = '_dni_v=<script>; path=/';
  localStorage.setItem('_dni', '{');
  expect(readVisit(key)).toEqual({ visitorId: null, sessionId: null });
});
