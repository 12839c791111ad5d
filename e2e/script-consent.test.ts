import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { version } from '../snippet/src/version.ts';
import { dashed, numberOf, startWebsites, swapped, type Api } from './tracking/websites.ts';

/** What visitors agree to, whether anyone looks at the page, and what pages ask the script. */
const { origin, product, pages, aShop, tagOf, visit } = await startWebsites();

const phone = '<p id=a>212-555-0100</p>';
const stored = async (page: Page, context: BrowserContext) => ({
  cookies: (await context.cookies()).map(({ name }) => name).sort(),
  local: await page.evaluate(() => localStorage.getItem('_dni')),
});
const visitsOf = async (shop: Awaited<ReturnType<typeof aShop>>) =>
  (await shop.rows('select visitor_id from tracking_visit where company_id = $1')).length;
const ownNumber = (page: Page) => expect.poll(() => page.textContent('#a')).toMatch(/^628-/);

test('wait: nothing is stored until the visitor agrees, and a refusal takes everything back', async () => {
  const shop = await aShop({ consentMode: 'wait', defaultNumberId: null });
  const { page, context, errors } = await visit(`<body>${phone}${tagOf(shop)}</body>`);
  await page.evaluate(
    () => new Promise<void>((done) => (window as unknown as { DNI: Api }).DNI.onReady(done)),
  );
  expect(await page.textContent('#a')).toBe('212-555-0100');
  expect(await stored(page, context)).toEqual({ cookies: [], local: null });
  expect(await visitsOf(shop)).toBe(0);
  const consent = (given: boolean) =>
    page.evaluate((said) => (window as unknown as { DNI: Api }).DNI.consent(said), given);
  await consent(true);
  await ownNumber(page);
  expect((await stored(page, context)).cookies).toEqual(['_dni_s', '_dni_v']);
  expect(await visitsOf(shop)).toBe(1);
  // The next page doesn't ask.
  await page.goto(`${origin}/?next`);
  await ownNumber(page);
  await consent(false);
  await expect.poll(() => page.textContent('#a')).toBe('212-555-0100');
  const after = await stored(page, context);
  expect(after.cookies).toEqual([]);
  expect(JSON.parse(after.local ?? '{}')).toMatchObject({ consent: false });
  expect(after.local).not.toMatch(/visitorId|sessionId/);
  await page.goto(`${origin}/?last`);
  await page.waitForTimeout(500);
  expect(await page.textContent('#a')).toBe('212-555-0100');
  expect(await visitsOf(shop)).toBe(1);
  expect(errors).toEqual([]);
});

test.each(['before', 'after'] as const)(
  'Google Consent Mode, whose data layer is there %s the script: denied stores nothing, granted does',
  async (when) => {
    const shop = await aShop({ consentMode: 'wait', defaultNumberId: null });
    const layer = `window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments) }
      gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied' });`;
    const script = tagOf(shop).replace('async ', '');
    const { page, context, errors } = await visit(
      `<head>${when === 'before' ? `<script>${layer}</script>` : ''}${script}</head>
        <body>${phone}${when === 'after' ? `<script>${layer}</script>` : ''}</body>`,
      { path: `/consent-${when}` },
    );
    await page.waitForTimeout(700);
    expect(await page.textContent('#a')).toBe('212-555-0100');
    expect(await stored(page, context)).toMatchObject({ cookies: [] });
    await page.evaluate(`gtag('consent', 'update', { analytics_storage: 'granted' })`);
    await ownNumber(page);
    expect((await stored(page, context)).cookies).toEqual(['_dni_s', '_dni_v']);
    await page.evaluate(`gtag('consent', 'update', { analytics_storage: 'denied' })`);
    await expect.poll(() => page.textContent('#a')).toBe('212-555-0100');
    expect(errors).toEqual([]);
  },
);

test('anonymous: the number without a cookie, the same on the next page, and no visitor', async () => {
  const shop = await aShop({ consentMode: 'anonymous' });
  const { page, context, errors } = await visit(`<body>${phone}${tagOf(shop)}</body>`);
  await ownNumber(page);
  const number = await page.textContent('#a');
  expect((await stored(page, context)).cookies).toEqual([]);
  await page.goto(`${origin}/?next`);
  await ownNumber(page);
  expect(await page.textContent('#a')).toBe(number);
  expect(await shop.rows('select visitor_id from tracking_visit where company_id = $1')).toEqual([
    { visitor_id: null },
  ]);
  expect(errors).toEqual([]);
});

test('a page that is rendered ahead is no visit until someone comes', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(`<body>${phone}${tagOf(shop)}</body>`, {
    init: `let ahead = true; Object.defineProperty(document, 'prerendering', { get: () => ahead });
      window.come = () => { ahead = false; document.dispatchEvent(new Event('prerenderingchange')) }`,
  });
  await page.waitForTimeout(700);
  expect(await visitsOf(shop)).toBe(0);
  await page.evaluate('come()');
  await ownNumber(page);
  expect(await visitsOf(shop)).toBe(1);
  expect(errors).toEqual([]);
});

test('heartbeats stop while no one looks, and the last moment is told as the page is left', async () => {
  const shop = await aShop();
  const { page, context, errors } = await visit('<body></body>', {
    path: '/empty',
    init: `let hidden = false; Object.defineProperty(document, 'hidden', { get: () => hidden });
      window.hide = (now) => { hidden = now; document.dispatchEvent(new Event('visibilitychange')) }`,
  });
  // Every second instead of every minute.
  await context.route(`${product}/api/dni/v1/session`, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...data, heartbeat: 1 } } });
  });
  const beats: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/heartbeat')) beats.push(request.resourceType());
  });
  pages.set('/beating', { html: `<body>${phone}${tagOf(shop)}</body>` });
  await page.goto(`${origin}/beating`);
  await swapped(page);
  await expect.poll(() => beats.length).toBeGreaterThanOrEqual(2);
  await page.evaluate('hide(true)');
  const seen = beats.length;
  await page.waitForTimeout(2500);
  expect(beats.length).toBeLessThanOrEqual(seen + 1);
  const before = beats.length;
  await page.evaluate('hide(false)');
  await expect.poll(() => beats.length).toBeGreaterThan(before);
  // No heartbeat for over two seconds: leaving tells.
  await page.evaluate('hide(true)');
  await page.waitForTimeout(2300);
  const asked = beats.length;
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
  await expect.poll(() => beats.slice(asked)).toEqual(['ping']);
  expect(errors).toEqual([]);
});

test('what pages ask: numbers, when they are known, a swap of their own, events, and nothing throws', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `<script>window.told = []; (window.DNI = window.DNI || []).push(() => DNI.onReady(() => told.push('early')))</script>
     <body>${phone}<p id=kept data-dni-noswap>212-555-0100</p>${tagOf(shop)}</body>`,
  );
  await swapped(page);
  const number = await numberOf(page);
  const told = await page.evaluate(async () => {
    const { DNI, told } = window as unknown as {
      DNI: Api & { swap(root?: unknown): void };
      told: string[];
    };
    const numbers = (targets: string[]) =>
      new Promise<string[]>((done) =>
        DNI.getNumbers(targets, (swaps) => done(swaps.map((one) => one.number))),
      );
    DNI.onReady(() => {
      throw new Error('of the page');
    });
    DNI.swap('[');
    DNI.event('quote', { price: 3 });
    return {
      told,
      known: await numbers(['(212) 555-0100']),
      other: await numbers(['(212) 555-0199']),
      all: await numbers([]),
      version: DNI.debug().version,
    };
  });
  const e164 = `+1${number.replace(/\D/g, '')}`;
  expect(told).toEqual({
    ...{ told: ['early'], known: [e164], other: [], all: [e164] },
    version,
  });
  expect(await page.textContent('#a')).toBe(dashed(number));
  expect(await page.textContent('#kept')).toBe('212-555-0100');
  expect(errors).toEqual([]);
});

test('a pool that replaces whatever the page asks for keeps it on every page', async () => {
  const shop = await aShop({ swapTargets: [] });
  const { page, errors } = await visit(
    `<body>${phone}<p id=b>212-555-0199</p>${tagOf(shop)}</body>`,
  );
  const ask = (number: string) =>
    page.evaluate(
      (target) =>
        new Promise((done) =>
          (window as unknown as { DNI: Api }).DNI.getNumbers([target], (swaps) =>
            done(swaps.length),
          ),
        ),
      number,
    );
  await page.waitForFunction(() => 'DNI' in window);
  expect(await ask('212-555-0100')).toBe(1);
  await ownNumber(page);
  expect(await ask('212-555-0199')).toBe(1);
  const number = await page.textContent('#a');
  expect(number).toMatch(/^628/);
  expect(await page.textContent('#b')).toBe(number);
  await page.evaluate(`history.pushState({}, '', '/another')`);
  await page.waitForTimeout(1000);
  expect(await page.textContent('#a')).toBe(number);
  expect(errors).toEqual([]);
});
