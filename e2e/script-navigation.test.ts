import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tracking as contract } from '#contract';
import { aNumber, flushHits } from '../server/test/support/tracking-site.ts';
import { dashed, numberOf, startWebsites, swapped, target, type Api } from './tracking/websites.ts';

/** Pages that become other pages without loading. */
const { app, origin, aShop, tagOf, visit } = await startWebsites();

/** A page whose own program goes on through these pages, with no click of its visitor. */
const wandering = (go: string) => `<!doctype html><title>Home</title><body><main>212-555-0100</main>
  <script>
    const show = (path, how = 'pushState') => {
      history[how]({}, '', path);
      document.title = path;
      document.querySelector('main').innerHTML = '<p>' + path + ' 212-555-0100</p>';
    };
    const later = (ms) => new Promise((done) => setTimeout(done, ms));
    window.going = (async () => { while (!window.DNI?.debug?.().swapped) await later(20); await later(300); ${go} })();
  </script>`;
/** Paths of the page views that were stored, in order. */
async function viewsOf(shop: Awaited<ReturnType<typeof aShop>>): Promise<string[]> {
  await flushHits(app);
  const rows = (await shop.rows(
    `select url from tracking_hit where company_id = $1 and kind = 'pageview' order by id`,
  )) as { url: string }[];
  return rows.map(({ url }) => url.slice(origin.length));
}
const shown = (page: Page) => page.textContent('main');
const going = (page: Page) => page.evaluate('going');

test('a page that goes on by its own timers: each address is a page view and shows the number', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `${wandering(`
      show('/a'); await later(400);
      show('/b', 'replaceState'); await later(400);
      history.pushState({}, '', '/only-the-address'); await later(400);
      history.back(); await later(400);
      location.hash = 'part'; await later(400);`)}${tagOf(shop)}`,
  );
  await swapped(page);
  await going(page);
  expect(await shown(page)).toBe(`/b ${dashed(await numberOf(page))}`);
  await expect
    .poll(() => viewsOf(shop))
    .toEqual(['/', '/a', '/b', '/only-the-address', '/b', '/b#part']);
  // All of it is one visit, with one number.
  expect(await shop.rows('select page_count from tracking_visit where company_id = $1')).toEqual([
    { page_count: 6 },
  ]);
  expect(errors).toEqual([]);
});

test('while the server answers slowly, each address is still one page view of one visit', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `<!doctype html><title>Home</title><body><main>212-555-0100</main>
      <script>
        const later = (ms) => new Promise((done) => setTimeout(done, ms));
        window.going = (async () => {
          for (const path of ['/a', '/b', '/c']) {
            await later(300);
            history.pushState({}, '', path);
            document.title = path;
          }
          await later(100);
          history.replaceState({}, '', '/d');
        })();
      </script>${tagOf(shop)}`,
    {
      // Longer than a page rests, so that an answer comes when another page is shown.
      init: `const ask = window.fetch;
        window.fetch = async (url, how) => {
          const answer = await ask(url, how);
          if (String(url).endsWith('/session')) await new Promise((done) => setTimeout(done, 550));
          return answer;
        };`,
    },
  );
  await swapped(page);
  await going(page);
  await expect.poll(() => viewsOf(shop)).toEqual(['/', '/a', '/b', '/d']);
  await page.evaluate(
    () =>
      new Promise<void>((done) =>
        (window as unknown as { DNI: Api }).DNI.getNumbers(['212-555-0199'], () => done()),
      ),
  );
  // Time for one page view more, which must not come.
  await page.waitForTimeout(300);
  expect(await viewsOf(shop)).toEqual(['/', '/a', '/b', '/d']);
  const rows = await shop.rows(
    `select v.page_count, array_agg(h.title order by h.id) titles from tracking_visit v
     join tracking_hit h on h.company_id = v.company_id and h.visit_id = v.id
     where v.company_id = $1 group by v.id, v.page_count`,
  );
  expect(rows).toEqual([{ page_count: 4, titles: ['Home', '/a', '/b', '/c'] }]);
  expect(errors).toEqual([]);
});

test('who agrees before the server answered is counted once', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `<!doctype html><title>Home</title><body><main>212-555-0100</main>${tagOf(shop)}`,
    {
      init: `const ask = window.fetch;
        window.fetch = async (url, how) => {
          const answer = await ask(url, how);
          if (String(url).endsWith('/session')) await new Promise((done) => setTimeout(done, 400));
          return answer;
        };
        const timer = setInterval(() => {
          if (!window.DNI?.consent) return;
          clearInterval(timer);
          DNI.consent(true);
        }, 10);`,
    },
  );
  await swapped(page);
  await expect.poll(() => viewsOf(shop)).toEqual(['/']);
  // Time for one page view more, which must not come.
  await page.waitForTimeout(300);
  expect(await viewsOf(shop)).toEqual(['/']);
  expect(errors).toEqual([]);
});

test('also in browsers without the Navigation API', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `${wandering(`show('/a'); await later(400); show('/b'); await later(400); history.back(); await later(400);`)}${tagOf(shop)}`,
    { init: `Object.defineProperty(window, 'navigation', { value: undefined })` },
  );
  await swapped(page);
  await going(page);
  expect(await shown(page)).toBe(`/b ${dashed(await numberOf(page))}`);
  await expect.poll(() => viewsOf(shop)).toEqual(['/', '/a', '/b', '/a']);
  expect(errors).toEqual([]);
});

test('an address of another pool: the page shows that pool’s number, and its own again after', async () => {
  const shop = await aShop({ excludePaths: ['/offers*'] });
  const offers = await app.as(shop.owner).request(contract.createPool, {
    params: { companyId: shop.owner.companyId },
    body: {
      ...{ name: 'Offers', numberIds: [await aNumber(app, shop.owner)], domains: ['127.0.0.1'] },
      ...{
        includePaths: ['/offers*'],
        swapTargets: [{ number: target, formats: 'auto' as const }],
      },
    },
  });
  expect(offers.status).toBe(201);
  const { page, errors } = await visit(
    `${wandering(`show('/offers/spring'); await later(1500); window.offer = document.querySelector('main').textContent;
      show('/'); await later(1500);`)}${tagOf(shop)}`,
  );
  await swapped(page);
  const first = dashed(await numberOf(page));
  await going(page);
  const offer = String(await page.evaluate('offer'));
  expect(offer).toMatch(/^\/offers\/spring 628-555-\d{4}$/);
  expect(offer).not.toContain(first);
  expect(await shown(page)).toBe(`/ ${first}`);
  expect(errors).toEqual([]);
});

test('an address that changes all the time is asked about once, when it rests', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `${wandering(`for (let n = 1; n <= 60; n += 1) { history.replaceState({}, '', '/?scrolled=' + n); await later(20); } await later(500);`)}${tagOf(shop)}`,
  );
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().endsWith('/session'))));
  await swapped(page);
  await going(page);
  await expect.poll(() => viewsOf(shop)).toEqual(['/', '/?scrolled=60']);
  expect(asked).toBeLessThanOrEqual(2);
  expect(errors).toEqual([]);
});

/** Of the test below, twice; each takes a quarter of a second, more on a loaded machine. */
const navigations = Number(process.env['SCRIPT_NAVIGATIONS'] ?? 12);
test(
  'many pages without loading: what the script holds doesn’t grow',
  async () => {
    const shop = await aShop();
    const { page, context, errors } = await visit(
      `<body><main></main>${tagOf(shop)}<script>
      let at = 0;
      async function go() {
        at += 1;
        history.pushState({}, '', '/page-' + at);
        document.title = 'Page ' + at;
        const main = document.querySelector('main');
        main.innerHTML = '<p>212-555-0100</p><a href="tel:2125550100">(212) 555-0100</a><div></div>'.repeat(20);
        main.querySelectorAll('div').forEach((one) => (one.attachShadow({ mode: 'open' }).innerHTML = '<p>212-555-0100</p>'));
        await new Promise(requestAnimationFrame);
      }
    </script></body>`,
    );
    // Every page would be one of the visit's sixty calls a minute.
    await page.evaluate('go()');
    await swapped(page);
    const answer = await page.evaluate(() => (window as unknown as { DNI: Api }).DNI.session());
    await context.route('**/dni/v1/**', (route) =>
      route.fulfill({
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
        },
        json: { data: { ...answer, heartbeat: 60, capture: { cookies: [] } } },
      }),
    );
    const cdp = await context.newCDPSession(page);
    const held = async () => {
      await page.evaluate('go()');
      await page.waitForTimeout(400);
      await cdp.send('HeapProfiler.collectGarbage');
      await cdp.send('HeapProfiler.collectGarbage');
      const { nodes } = await cdp.send('Memory.getDOMCounters');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      return { nodes, usedSize };
    };
    const run = (times: number) =>
      page.evaluate(
        `(async () => { for (let n = 0; n < ${times}; n += 1) { await go(); await new Promise((done) => setTimeout(done, 230)); } })()`,
      );
    // First what the browser keeps of any program: compiled code, a number of requests.
    await run(navigations);
    const before = await held();
    await run(navigations);
    const after = await held();
    console.log(
      `${navigations} pages: ${before.nodes} nodes and ${Math.round(before.usedSize / 1024)} KB before, ${after.nodes} and ${Math.round(after.usedSize / 1024)} after`,
    );
    expect(await page.innerText('main')).not.toContain('212');
    expect(after.nodes).toBeLessThan(before.nodes + 200);
    expect(after.usedSize - before.usedSize).toBeLessThan(150_000);
    expect(errors).toEqual([]);
  },
  120_000 + navigations * 2 * 600,
);
