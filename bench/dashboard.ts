import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Page, Request } from 'playwright-core';
import { hashToken, sessionCookieName } from '../server/src/platform/secrets.ts';
import { buildBundle } from '../server/src/start/bundle-build.ts';
import { launchChromium } from '../tools/chromium.ts';
import { fillCalls } from './fill-calls.ts';
import { createBench, fmt, median } from './kit.ts';

/**
 * The dashboard in Chromium on many calls of one company, whose sums are there: what a browser loads
 * before its figures are shown and after, how long a press takes until the page has painted again (as
 * Event Timing measures it; goal: 200 ms), and how long until all parts show the figures of what was
 * chosen, request and all. Last, the same of a year without the sums by state, tag, sentiment and
 * phrase list, which are then counted call by call.
 *
 * `DASHBOARD_CALLS` (2,000,000) over two years; `DASHBOARD_ROUNDS` (5).
 */
const size = Number(process.env['DASHBOARD_CALLS'] ?? 2_000_000);
const rounds = Number(process.env['DASHBOARD_ROUNDS'] ?? 5);
const GOAL_MS = 200;
/** How long the page shows what it has without asking again. */
const STALE_MS = 15_500;

await buildBundle('web');
const bench = await createBench(
  {},
  {
    name: `dashboard-${size}`,
    source: readFileSync(new URL('fill-calls.ts', import.meta.url), 'utf8'),
    async fill(owner, companyId) {
      await fillCalls(owner, companyId, size);
      const counting = performance.now();
      for (let more = true; more;)
        more = (await owner.query<{ more: boolean }>('select fill_call_rollup() more')).rows[0]!
          .more;
      await owner.query('vacuum analyze call, call_rollup');
      console.log(`counted in ${fmt(performance.now() - counting)} ms`);
    },
  },
);
const owner = new pg.Client({ connectionString: bench.database });
await owner.connect();
const cookie = 'tls_of-the-bench';
await owner.query('update session set cookie_hash = $1 where access_hash = $2', [
  hashToken(cookie),
  hashToken(bench.token),
]);

/** Scripts that came over the network so far, in bytes as sent. */
async function watchScripts(page: Page): Promise<() => { bytes: number; files: number }> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const scripts = new Set<string>();
  const seen = { bytes: 0, files: 0 };
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!scripts.has(requestId)) return;
    seen.bytes += encodedDataLength;
    seen.files += 1;
  });
  return () => ({ ...seen });
}

/** Resolves when no part of the dashboard is asked for; tells when the last answer came. */
function watchParts(page: Page): () => Promise<number> {
  const open = new Set<Request>();
  let ended = performance.now();
  page.on('request', (request) => {
    if (/\/api\/(dashboard|analytics\/calls)/.test(request.url())) open.add(request);
  });
  const end = (request: Request) => {
    if (open.delete(request)) ended = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    await page.waitForTimeout(100);
    while (open.size > 0 || performance.now() - ended < 300) await page.waitForTimeout(20);
    return ended;
  };
}

/** The longest of the events since the last question, in ms until the next paint. */
const longestEvent = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => setTimeout(() => {
    const all = window.pressed.splice(0);
    resolve(Math.max(0, ...all));
  }, 400))`) as Promise<number>;

const chromium = await launchChromium();
try {
  const context = await chromium.newContext({
    baseURL: bench.url,
    viewport: { width: 1280, height: 900 },
  });
  await context.addCookies([
    { name: sessionCookieName(bench.url), value: cookie, url: bench.url, httpOnly: true },
  ]);
  // Events shorter than 16 ms aren't told; they count as 0.
  await context.addInitScript(`window.pressed = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.interactionId) window.pressed.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });`);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const scripts = await watchScripts(page);
  const quiet = watchParts(page);
  const began = performance.now();
  await page.goto('/analytics/dashboard');
  await page.getByText('First-time callers', { exact: true }).waitFor();
  const first = scripts();
  console.log(
    `${fmt(size)} calls; figures shown after ${fmt(performance.now() - began)} ms, with ${(first.bytes / 1000).toFixed(1)} kB of scripts in ${first.files} files, parts that are loaded later among them`,
  );
  await page.getByRole('img', { name: 'Calls by state' }).waitFor();
  const loaded = await quiet();
  const all = scripts();
  console.log(
    `  all parts after ${fmt(loaded - began)} ms; ${((all.bytes - first.bytes) / 1000).toFixed(1)} kB more in ${all.files - first.files} files`,
  );

  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click();
    const opening = await longestEvent(page);
    const asked = performance.now();
    await page.getByRole('option', { name: option, exact: true }).click();
    // Nothing is asked for what the page still has.
    const shown = Math.max(0, (await quiet()) - asked);
    return { opening, choosing: await longestEvent(page), shown };
  };
  const took: Record<string, number[]> = {};
  const keep = (name: string, ms: number) => (took[name] ??= []).push(ms);
  const choices = [
    ['Period', 'Last 7 days'],
    ['Period', 'Last 365 days'],
    ['Compared with', 'A year earlier'],
    ['Compared with', 'Previous period'],
    ['Period', 'Last 30 days'],
  ] as const;
  for (let round = 0; round < rounds; round++) {
    for (const [filter, option] of choices) {
      const { opening, choosing, shown } = await choose(filter, option);
      keep(`open ${filter}`, opening);
      keep(`choose ${option}`, choosing);
      keep(`figures of ${option}`, shown);
    }
    await page.getByRole('button', { name: 'Export' }).click();
    keep('open Export', await longestEvent(page));
    await page.keyboard.press('Escape');
    await longestEvent(page);
  }
  await owner.query(`update call_rollup_company set more_counted_from = 'infinity'`);
  for (const [filter, option] of choices) {
    // What the page still has isn't asked for.
    await page.waitForTimeout(STALE_MS);
    keep(`figures of ${option}, without those sums`, (await choose(filter, option)).shown);
  }
  for (const [name, times] of Object.entries(took))
    console.log(
      `  ${name}: median ${fmt(median(times))} ms, longest ${fmt(Math.max(...times))} ms${name.startsWith('figures') ? ' until the last answer' : ''}`,
    );
  const pressed = Object.entries(took).flatMap(([name, times]) =>
    name.startsWith('figures') ? [] : times,
  );
  console.log(
    `  ${pressed.length} presses: the longest ${fmt(Math.max(...pressed))} ms, ${pressed.filter((ms) => ms > GOAL_MS).length} over ${GOAL_MS} ms`,
  );
} finally {
  await chromium.close();
  await owner.end();
  await bench.close();
}
