import pg from 'pg';
import { tracking as contract } from '#contract';
import type { FeedRow } from '#contract/tracking/feed-schemas';
import { measureFrames, openWebApp } from './frames.ts';
import { createBench } from './kit.ts';

/**
 * The live feed's screen while 200 rows a second arrive, through the socket as the server sends them:
 * how long its frames take, against the same screen with nothing happening.
 */
const ROWS_A_SECOND = 200;
const EVERY_MS = 250;
const SECONDS = 15;

const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 1 });
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

const { page, close } = await openWebApp(bench, owner);
try {
  await page.goto('/tracking/live');
  await page.getByText('No visits yet').waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3000);
  console.log(`live feed, ${SECONDS} s each`);
  const quiet = await measureFrames(page, { name: 'nothing happens', seconds: SECONDS });
  const timer = setInterval(() => void publish(), EVERY_MS);
  // The first rows draw the list itself.
  await page.waitForTimeout(3000);
  const name = `${ROWS_A_SECOND} rows a second`;
  const busy = await measureFrames(page, { name, seconds: SECONDS });
  clearInterval(timer);
  await page.waitForTimeout(1000);
  const shown = await page.getByRole('grid').getAttribute('aria-rowcount', { timeout: 5000 });
  console.log(
    `  ${at} rows sent, ${Number(shown) - 1} shown; ${busy.slow - quiet.slow} slow frames more`,
  );
} finally {
  await close();
  await owner.end();
  await bench.close();
}
