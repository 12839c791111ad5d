import type pg from 'pg';
import type { Page } from 'playwright-core';
import { hashToken, sessionCookieName } from '../server/src/platform/secrets.ts';
import { buildBundle } from '../server/src/start/bundle-build.ts';
import { launchChromium } from '../tools/chromium.ts';
import type { Bench } from './kit.ts';

/** A person sees a frame that takes longer. Milliseconds. */
export const SLOW_MS = 50;

/** A page of the web app in Chromium, signed in as the bench's person. */
export async function openWebApp(bench: Bench, owner: pg.Pool) {
  await buildBundle('web');
  const cookie = 'tls_of-the-bench';
  await owner.query('update session set cookie_hash = $1 where access_hash = $2', [
    hashToken(cookie),
    hashToken(bench.token),
  ]);
  const chromium = await launchChromium();
  const context = await chromium.newContext({ baseURL: bench.url });
  await context.addCookies([
    { name: sessionCookieName(bench.url), value: cookie, url: bench.url, httpOnly: true },
  ]);
  return { page: await context.newPage(), close: () => chromium.close() };
}

/** Times between frames of so many seconds, in milliseconds. */
const timesBetween = async (page: Page, seconds: number): Promise<number[]> =>
  (await page.evaluate(`new Promise((resolve) => {
    const times = [];
    let last = performance.now();
    const until = last + ${seconds * 1000};
    const next = (now) => {
      times.push(now - last);
      last = now;
      if (now < until) requestAnimationFrame(next);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(next);
  })`)) as number[];

/** Measures and prints the frames of so many seconds. */
export async function measureFrames(
  page: Page,
  { name, seconds }: { name: string; seconds: number },
): Promise<{ perSecond: number; slow: number }> {
  const times = await timesBetween(page, seconds);
  const sorted = times.toSorted((a, b) => a - b);
  const part = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  const slow = times.filter((ms) => ms > SLOW_MS).length;
  const perSecond = times.length / seconds;
  console.log(
    `  ${name}: ${times.length} frames, ${perSecond.toFixed(1)} a second, median ${part(0.5)} ms, 99 % below ${part(0.99)} ms, longest ${part(1)} ms, ${slow} over ${SLOW_MS} ms`,
  );
  return { perSecond, slow };
}
