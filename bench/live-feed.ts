import pg from 'pg';
import type { Page } from 'playwright-core';
import { hashToken, sessionCookieName } from '../server/src/platform/secrets.ts';
import { tracking as contract } from '#contract';
import type { FeedRow } from '#contract/tracking/feed-schemas';
import { buildBundle } from '../server/src/start/bundle-build.ts';
import { launchChromium } from '../tools/chromium.ts';
import { createBench } from './kit.ts';

/**
 * The live feed's screen while 200 rows a second arrive, through the socket as the server sends them:
 * how long its frames take, against the same screen with nothing happening.
 */
const ROWS_A_SECOND = 200;
const EVERY_MS = 250;
const SECONDS = 15;
/** A person sees one that is longer. */
const SLOW_MS = 50;

await buildBundle('web');
const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 1 });
const cookie = 'tls_of-the-bench';
await owner.query('update session set cookie_hash = $1 where access_hash = $2', [
  hashToken(cookie),
  hashToken(bench.token),
]);

let at = 0;
const aRow = (): FeedRow => {
  const n = (at += 1);
  const type = (['session_started', 'swap', 'heartbeat'] as const)[n % 3] ?? 'swap';
  return {
    id: `${type}-${n}`,
    at: new Date().toISOString(),
    type,
    poolId: null,
    number: '+12125550100',
    source: { key: 'google_ads', label: 'Google Ads' },
    campaign: n % 2 ? 'spring' : null,
    page: `https://www.shop.example/page/${n}`,
    region: 'CA',
    device: 'mobile',
    sessionId: n,
    caller: null,
    subjectId: null,
  };
};
const publish = () =>
  bench.server.broadcast(
    Array.from({ length: (ROWS_A_SECOND * EVERY_MS) / 1000 }, () => ({
      data: aRow(),
      ...{ seq: at, companyId: bench.companyId, event: contract.dniFeed.name },
      ...{ channelKey: null, numberId: null, at: new Date() },
    })),
  );

/** Times between frames of so many seconds. */
const frames = async (page: Page): Promise<number[]> =>
  (await page.evaluate(`new Promise((resolve) => {
    const times = [];
    let last = performance.now();
    const until = last + ${SECONDS * 1000};
    const next = (now) => {
      times.push(now - last);
      last = now;
      if (now < until) requestAnimationFrame(next);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(next);
  })`)) as number[];
const chromium = await launchChromium();
try {
  const context = await chromium.newContext({ baseURL: bench.url });
  await context.addCookies([
    { name: sessionCookieName(bench.url), value: cookie, url: bench.url, httpOnly: true },
  ]);
  const page = await context.newPage();
  await page.goto('/tracking/live');
  await page.getByText('No visits yet').waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3000);
  const tell = (name: string, times: number[]) => {
    const sorted = [...times].sort((a, b) => a - b);
    const part = (share: number) =>
      (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    const slow = times.filter((ms) => ms > SLOW_MS).length;
    console.log(
      `  ${name}: ${times.length} frames, median ${part(0.5)} ms, 99 % below ${part(0.99)} ms, longest ${part(1)} ms, ${slow} over ${SLOW_MS} ms`,
    );
    return slow;
  };
  console.log(`live feed, ${SECONDS} s each`);
  const quiet = tell('nothing happens', await frames(page));
  const timer = setInterval(() => void publish(), EVERY_MS);
  // The first rows draw the list itself.
  await page.waitForTimeout(3000);
  const busy = tell(`${ROWS_A_SECOND} rows a second`, await frames(page));
  clearInterval(timer);
  await page.waitForTimeout(1000);
  const shown = await page.getByRole('grid').getAttribute('aria-rowcount', { timeout: 5000 });
  console.log(`  ${at} rows sent, ${Number(shown) - 1} shown; ${busy - quiet} slow frames more`);
} finally {
  await chromium.close();
  await owner.end();
  await bench.close();
}
