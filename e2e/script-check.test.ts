import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { tracking as contract } from '#contract';
import { publicPageReader } from '../server/src/adapters/pages/read-page.ts';
import type { BrowserGateway } from '../server/src/gateways/browser.ts';
import type { PageReader } from '../server/src/gateways/web-pages.ts';
import { labBrowser } from '../server/test/support/lab-browser.ts';
import { createTestApp } from '../server/test/support/test-app.ts';
import { aSite } from '../server/test/support/tracking-site.ts';
import { version } from '../snippet/src/version.ts';

/** `verifyScript` with a browser: what only one sees that runs the page's scripts. */
let html = '';
let headers: Record<string, string> = {};
const website = createServer((request, reply) => {
  if (request.url?.startsWith('/loader.js'))
    reply.writeHead(200, { 'content-type': 'text/javascript' }).end(loader);
  else if (request.url?.startsWith('/missing')) reply.writeHead(404).end();
  else reply.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
});
await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
const port = String((website.address() as AddressInfo).port);
afterAll(() => {
  website.closeAllConnections();
  website.close();
});
const lab = publicPageReader({
  resolve: async () => ['127.0.0.1'],
  isPublic: (ip) => ip === '127.0.0.1',
  ports: ['', port],
});
const pages: PageReader = { fetchPage: (url, options) => lab.fetchPage(url, options) };
const chromium = await labBrowser(port);
const busy: BrowserGateway = { visit: async () => ({ ok: false, why: 'busy' }) };
let browser = chromium;
const app = await createTestApp({
  ports: { pages, browser: { visit: (url, visit) => browser.visit(url, visit) } },
});
const { origin } = new URL(app.services.settings.publicUrl);

const target = '+12125550100';
const aShop = (settings: Parameters<typeof aSite>[2] = {}) =>
  aSite(app, 1, {
    ...{ domains: ['www.shop.example'], swapTargets: [{ number: target, formats: 'auto' }] },
    ...settings,
  });
type Shop = Awaited<ReturnType<typeof aShop>>;
const addressOf = ({ pool }: Shop, version = '1'): string =>
  `${origin}/t/${pool.companyKey}/${version}/dni.js`;
const tagOf = (shop: Shop, more = ''): string =>
  `<script async src="${addressOf(shop)}" ${more}></script>`;
let loader = '';
/** As Tag Manager: a script of the page that adds ours. */
const loaderOf = (shop: Shop): string => {
  loader = `setTimeout(() => { const s = document.createElement('script'); s.src = ${JSON.stringify(addressOf(shop))}; document.head.append(s) }, 400)`;
  return '<script src="/loader.js?id=GTM-ABC123"></script>';
};
async function check(shop: Shop, page: string, said: Record<string, string> = {}) {
  [html, headers] = [page, said];
  const { status, body } = await app.as(shop.owner).request(contract.verifyScript, {
    params: { companyId: shop.owner.companyId },
    body: { url: `http://www.shop.example:${port}/page` },
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  const { data } = body;
  return { ...data, codes: data.messages.map(({ code, level }) => `${code} ${level}`) };
}
/** Nothing of a check is a visit. */
const nothingStored = async (shop: Shop) => {
  for (const table of ['tracking_visit', 'tracking_lease', 'tracking_hit_count'])
    expect(await shop.rows(`select 1 from ${table} where company_id = $1`), table).toEqual([]);
};

test('the script runs, numbers are really swapped, and nothing of it is stored', async () => {
  const shop = await aShop();
  const found = await check(
    shop,
    `<head>${tagOf(shop)}</head><p>Call (212) 555-0100</p><a href="tel:2125550100">Call</a>`,
  );
  expect(found.codes).toEqual([]);
  expect(found).toMatchObject({ result: 'ok', location: 'head', scriptFound: true });
  expect(found.browser).toEqual({
    ...{ state: 'checked', scriptRan: true, version, swapped: 2, errors: [] },
    numbers: [{ number: target, shown: expect.stringMatching(/^\+1628555\d{4}$/) }],
  });
  await nothingStored(shop);
});

test('a tag manager that adds the script, and a number that scripts of the page add', async () => {
  const shop = await aShop();
  const found = await check(
    shop,
    `${loaderOf(shop)}<p id=a></p><script>setTimeout(() => { a.textContent = '212.555.0100' }, 100)</script>`,
  );
  expect(found.codes).toEqual([]);
  expect(found).toMatchObject({
    ...{ result: 'ok', location: 'tag_manager', scriptFound: true, companyKeyMatches: true },
    ...{ version, browser: { state: 'checked', scriptRan: true, swapped: 1 } },
    targets: [
      { number: target, occurrences: 1, formats: ['###.###.####'], willSwap: true, reason: null },
    ],
  });
  await nothingStored(shop);
});

test('Tag Manager whose tag isn’t published, and a page without the script', async () => {
  const shop = await aShop();
  loader = '';
  const manager = '<script src="/loader.js?id=GTM-ABC123"></script><p>212-555-0100</p>';
  expect((await check(shop, manager)).codes).toEqual(['script_not_run warning']);
  const without = await check(shop, '<p>212-555-0100</p>');
  expect(without.codes).toEqual(['script_missing error']);
  expect(without.browser).toMatchObject({ state: 'checked', scriptRan: false, numbers: [] });
});

test('a policy that the source doesn’t show, and one that was only feared', async () => {
  const shop = await aShop();
  const number = '<p>212-555-0100</p>';
  // A script of the page sets the policy before ours is loaded.
  const blocked = await check(
    shop,
    `<script>const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "connect-src 'none'"; document.head.append(m)</script>${tagOf(shop)}${number}`,
  );
  expect(blocked.codes).toEqual(['csp_blocked error']);
  expect(blocked).toMatchObject({ result: 'failed', cspBlocks: true });
  expect((await check(shop, tagOf(shop) + number, csp("'self'"))).codes).toEqual([
    'csp_blocked error',
  ]);
  // A nonce that is given by a trusted script: the source's tag has none.
  const trusted = await check(
    shop,
    `<script nonce=n1>document.write('<script nonce=n1 src="${addressOf(shop)}"><\\/script>')</script>${number}`,
    csp("'nonce-n1'", origin),
  );
  expect(trusted.codes).toEqual([]);
  expect(trusted.browser).toMatchObject({ scriptRan: true, swapped: 1 });
});
const csp = (scripts: string, calls = "'none'") => ({
  'content-security-policy': `script-src ${scripts}; connect-src ${calls}`,
});

test('a script that can’t be loaded, and one whose hash doesn’t match', async () => {
  const shop = await aShop();
  const number = '<p>212-555-0100</p>';
  const wrongHash = await check(
    shop,
    tagOf(shop, 'integrity="sha384-AAAA" crossorigin="anonymous"') + number,
  );
  expect(wrongHash.codes).toEqual(['script_not_run error']);
  expect(textsOf(wrongHash)).toEqual([expect.stringContaining('its integrity hash doesn’t match')]);
  const missing = await check(shop, `<script src="${addressOf(shop, '9.9.9')}"></script>${number}`);
  expect(missing.codes).toEqual(['script_not_run error']);
  expect(textsOf(missing)).toEqual([expect.stringContaining('there is no script at its address')]);
});
const textsOf = ({ messages }: { messages: { text: string }[] }): string[] =>
  messages.map(({ text }) => text);

test('another company’s script, added by a script of the page', async () => {
  const [shop, other] = [await aShop(), await aShop()];
  const found = await check(shop, `${loaderOf(other)}<p>212-555-0100</p>`);
  expect(found.codes).toContain('wrong_key error');
  expect(found.browser).toMatchObject({ scriptRan: false, numbers: [], swapped: 0 });
});

test('no number to show; one that waits for consent; one that the page writes back', async () => {
  const none = await aShop({ numberIds: [], defaultNumberId: null });
  const number = '<p id=a>212-555-0100</p>';
  expect((await check(none, tagOf(none) + number)).codes).toEqual(['no_number warning']);
  const waiting = await aShop({ consentMode: 'wait', defaultNumberId: null });
  expect(await check(waiting, tagOf(waiting) + number)).toMatchObject({
    ...{ codes: [], browser: { scriptRan: true, swapped: 1 } },
  });
  await nothingStored(waiting);
  const stubborn = await check(
    waiting,
    `${tagOf(waiting)}${number}<script>setInterval(() => { if (a.textContent !== '212-555-0100') a.textContent = '212-555-0100' }, 1);
      new MutationObserver(() => { if (a.textContent !== '212-555-0100') a.textContent = '212-555-0100' }).observe(a, { childList: true, characterData: true, subtree: true })</script>`,
  );
  expect(stubborn.codes).toEqual(['not_swapped warning']);
});

test('a pool for sources is opened as one of theirs; errors of the page are told', async () => {
  const shop = await aShop({ mode: 'source', defaultNumberId: null });
  const found = await check(
    shop,
    `${tagOf(shop)}<p>212-555-0100</p><script>throw new Error('of the page')</script>`,
  );
  expect(found).toMatchObject({
    codes: [],
    browser: { scriptRan: true, swapped: 1, errors: ['Error: of the page'] },
  });
});

test('without a browser, with a busy one, and for a page that can’t be read, the source is what counts', async () => {
  const shop = await aShop();
  const page = `${tagOf(shop)}<p>212-555-0100</p>`;
  browser = busy;
  expect(await check(shop, page)).toMatchObject({ result: 'ok', browser: { state: 'busy' } });
  browser = { visit: async () => ({ ok: false, why: 'stuck' }) };
  expect(await check(shop, page)).toMatchObject({ result: 'ok', browser: { state: 'failed' } });
  browser = chromium;
  const without = await createTestApp({ ports: { pages, browser: null } });
  const plain = await aSite(without, 1, { domains: ['www.shop.example'] });
  const { body } = await without.as(plain.owner).request(contract.verifyScript, {
    params: { companyId: plain.owner.companyId },
    body: { url: `http://www.shop.example:${port}/page` },
  });
  expect(body.data.browser).toMatchObject({ state: 'not_installed', scriptRan: false });
  const { body: unread } = await app.as(shop.owner).request(contract.verifyScript, {
    params: { companyId: shop.owner.companyId },
    body: { url: 'http://10.0.0.1' },
  });
  expect(unread.data.browser.state).toBe('not_opened');
});
