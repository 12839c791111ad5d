import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { numberOf, startWebsites, swapped, type Api } from './tracking/websites.ts';

/** Two websites of one company: a visitor who follows a link stays the same one. */
const { port, pages, asked, product, aShop, scriptOf, tagOf, visit } = await startWebsites();
const hosts = ['shop-a.test', 'parts-b.test'];
const [here, there] = hosts.map((host) => `http://www.${host}:${port}`) as [string, string];
const both = { domains: hosts, crossDomains: hosts };
const body = '<p id=a>212-555-0100</p>';
const session = (page: Page) =>
  page.evaluate(() => (window as unknown as { DNI: Api }).DNI.session());
/** Waits until the page knows its visitor. */
const known = (page: Page) =>
  page.waitForFunction(
    () => (window as unknown as { DNI?: Api }).DNI?.session().visitorId ?? false,
  );
/** Agrees, and waits until the page knows its visitor. */
const agree = async (page: Page) => {
  await page.waitForFunction(() => 'DNI' in window);
  await page.evaluate(() => (window as unknown as { DNI: Api }).DNI.consent(true));
  await known(page);
};
/** Waits for the file that adds the visitor to links. */
const carrying = (page: Page) =>
  page.waitForFunction(
    () =>
      performance.getEntriesByName(
        (document.querySelector('script[src$="extras.js"]') as HTMLScriptElement | null)?.src ?? '',
      ).length > 0,
  );

test('a link carries visitor and number; query and fragment stay, and no address keeps the token', async () => {
  const shop = await aShop(both);
  const link = `${there}/b?size=1&empty=&q=a%20b#part/2?x=1`;
  pages.set('/b', {
    html: `${body}<a id=on href="/c">On</a><a id=back href="${here}/">Back</a>${tagOf(shop)}`,
  });
  pages.set('/c', { html: `${body}${tagOf(shop)}` });
  const { page, context, errors } = await visit(
    `<meta name=referrer content=unsafe-url>${body}<a id=go href="${link}">Go</a>
     <a id=own href="http://shop-a.test:${port}/c">Own</a>${tagOf(shop)}`,
    { at: here },
  );
  await swapped(page);
  await carrying(page);
  const [first, number] = [await session(page), await numberOf(page)];
  await page.click('#go');
  await page.waitForURL(link);
  await swapped(page);
  expect(asked.findLast((one) => one.includes('/b?'))).toMatch(
    /\/b\?size=1&empty=&q=a%20b&_dni=\d+-/,
  );
  expect(await page.evaluate('location.href')).toBe(link);
  expect(await session(page)).toMatchObject({
    visitorId: first.visitorId,
    sessionId: first.sessionId,
  });
  expect(await numberOf(page)).toBe(number);
  expect(await page.textContent('#a')).toContain(number.slice(-4));
  expect((await context.cookies(there)).map(({ name }) => name).sort()).toEqual([
    '_dni_s',
    '_dni_v',
  ]);
  // Onwards, back, and to another host of the same website: nothing of it is left.
  await page.click('#on');
  await swapped(page);
  expect(await page.evaluate('document.referrer')).toBe(link.split('#')[0]);
  expect(await session(page)).toMatchObject({ visitorId: first.visitorId });
  await page.goBack();
  expect(page.url()).toBe(link);
  await page.goBack();
  expect(await page.getAttribute('#go', 'href')).toBe(link);
  await page.click('#own');
  await page.waitForURL(/\/c$/);
  await expect
    .poll(() =>
      shop.rows('select at from tracking_hit where company_id = $1').then((rows) => rows.length),
    )
    .toBeGreaterThan(2);
  const stored = await shop.rows(
    'select v.url, v.referrer, h.url as page from tracking_visit v left join tracking_hit h on h.visit_id = v.id where v.company_id = $1',
  );
  expect(JSON.stringify(stored)).not.toContain('_dni=');
  expect(
    new Set(
      (await shop.rows('select visitor_id from tracking_visit where company_id = $1')).map(
        ({ visitor_id }) => visitor_id,
      ),
    ),
  ).toEqual(new Set([first.visitorId]));
  expect(errors).toEqual([]);
});

test('forms by GET, new tabs and links of page scripts carry; POST, other websites and copies don’t', async () => {
  const shop = await aShop(both);
  pages.set('/b', { html: `${body}${tagOf(shop)}` });
  const { page, context, errors } = await visit(
    `${body}<form id=get action="${there}/b?gone=1"><input name=q value=x><button id=send>Send</button></form>
     <form id=post method=post action="${there}/b"><button id=order>Order</button></form>
     <a id=tab target=_blank rel=noopener href="${there}/b?tab"><b>Tab</b></a>
     <a id=foreign target=_blank href="http://other.test:${port}/b?foreign">Foreign</a>
     <a id=js href="${there}/b?js">JS</a>${tagOf(shop)}
     <script>document.querySelector('#js').addEventListener('click', (event) => {
       event.preventDefault(); location.href = event.currentTarget.href; });</script>`,
    { at: here },
  );
  await swapped(page);
  await carrying(page);
  const first = await session(page);
  let beats = 0;
  page.on('response', (one) => (beats += Number(one.url().endsWith('/heartbeat'))));
  const opens = async (click: string) => {
    const opened = context.waitForEvent('page');
    await page.click(click);
    return opened;
  };
  const tab = await opens('#tab');
  await swapped(tab);
  expect(tab.url()).toBe(`${there}/b?tab`);
  expect(await session(tab)).toMatchObject({ visitorId: first.visitorId });
  await tab.close();
  await (await opens('#foreign')).waitForLoadState();
  expect(asked.at(-1)).not.toContain('_dni');
  // The one link that was used is replaced by the next.
  await page.mouse.move(9, 9);
  await expect.poll(() => beats).toBeGreaterThan(0);
  await page.click('#send');
  await page.waitForURL(/q=x/);
  await swapped(page);
  expect(page.url()).toBe(`${there}/b?q=x`);
  expect(await session(page)).toMatchObject({ visitorId: first.visitorId });
  await page.goBack();
  await swapped(page);
  await carrying(page);
  await page.click('#js');
  await page.waitForURL(/b\?js/);
  await swapped(page);
  expect(page.url()).toBe(`${there}/b?js`);
  expect(await session(page)).toMatchObject({ visitorId: first.visitorId });
  await page.goBack();
  await swapped(page);
  await carrying(page);
  await page.click('#order');
  await page.waitForURL(/\/b$/);
  expect(asked.at(-1)).not.toContain('_dni');
  expect(errors).toEqual([]);
});

test('where nothing is agreed nothing is carried, and a token is good for no one else', async () => {
  const shop = await aShop({ ...both, consentMode: 'wait' });
  pages.set('/b', { html: `${body}${tagOf(shop)}` });
  const html = `${body}<a id=go href="${there}/b">Go</a>${tagOf(shop)}`;
  const { page } = await visit(html, { at: here });
  await page.waitForFunction(() => 'DNI' in window);
  await page.click('#go');
  await page.waitForURL(/parts-b/);
  expect(asked.at(-1)).not.toContain('_dni');
  await page.goBack();
  await agree(page);
  await carrying(page);
  const first = await session(page);
  expect(first.visitorId).toEqual(expect.any(String));
  await page.click('#go');
  await page.waitForURL(/parts-b/);
  const carried = asked.findLast((one) => one.includes('_dni='))!;
  await page.waitForFunction(() => 'DNI' in window);
  expect(page.url()).toBe(`${there}/b`);
  expect((await page.context().cookies(there)).length).toBe(0);
  await agree(page);
  expect(await session(page)).toMatchObject({ visitorId: first.visitorId });
  // Somebody else opens the address from a log.
  const other = await visit(pages.get('/b')!, {
    at: there,
    path: carried.slice(carried.indexOf('/')),
  });
  await agree(other.page);
  expect(other.page.url()).toBe(`${there}/b`);
  expect((await session(other.page)).visitorId).not.toBe(first.visitorId);
});

test('the panel of a test is shown, also where a strict policy asks for a nonce', async () => {
  const shop = await aShop({ domains: ['shop-a.test'] });
  const { page, errors } = await visit(
    {
      html: `${body}<script nonce=n1 async src="${scriptOf(shop)}"></script>`,
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'nonce-n1'; connect-src ${product}`,
      },
    },
    { at: here, path: '/test?dni_test=google_ads' },
  );
  await page.getByText('Source: Google Ads').waitFor();
  expect(await page.textContent('#a')).toContain('628');
  expect(await page.context().cookies()).toEqual([]);
  expect(errors).toEqual([]);
});

test('called at a subdomain of the website, we know a visitor whom the page forgot', async () => {
  const shop = await aShop({ domains: ['shop-a.test'] });
  const own = scriptOf(shop).replace('127.0.0.1', 'phones.shop-a.test');
  const tag = (src: string) => ({ html: `${body}<script async src="${src}"></script>` });
  const { page, context, errors } = await visit(tag(own), { at: here });
  await swapped(page);
  const { visitorId } = await session(page);
  const cookies = await context.cookies(new URL('/api/dni/v1/session', own).href);
  expect(cookies.find(({ httpOnly }) => httpOnly)).toMatchObject({
    value: visitorId,
    domain: 'phones.shop-a.test',
    sameSite: 'Lax',
  });
  // What a browser deletes of what page scripts stored.
  const forget = async () => {
    await page.evaluate('localStorage.clear()');
    for (const name of ['_dni_v', '_dni_s']) await context.clearCookies({ name });
  };
  await forget();
  await page.reload();
  await swapped(page);
  expect(await session(page)).toMatchObject({ visitorId });
  // At our own address nothing is known of them.
  await forget();
  pages.set('/', tag(scriptOf(shop)));
  await page.reload();
  await swapped(page);
  expect((await session(page)).visitorId).not.toBe(visitorId);
  expect(errors).toEqual([]);
});
