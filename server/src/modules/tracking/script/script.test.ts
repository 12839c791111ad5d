import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { aSite, browser, flushHits, send, site } from '../../../../test/support/tracking-site.ts';
import { currentRelease } from './releases.ts';

const app = await createTestApp();
const target = '+12125550100';
const settings = { swapTargets: [{ number: target, formats: 'auto' as const }] };
const read = async (person: TestPerson) =>
  (await app.as(person).request(contract.getScript, { params: { companyId: person.companyId } }))
    .body.data;
const load = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'GET', url, headers });
const turn = (person: TestPerson, isEnabled: boolean) =>
  app.as(person).request(contract.updateScript, {
    params: { companyId: person.companyId },
    body: { isEnabled },
  });

it('a pinned version is the bytes that its integrity promises, forever; the floating one is asked again', async () => {
  const { owner } = await app.createCompany();
  const { snippet, snippetLatest, version, companyKey } = await read(owner);
  const { src, hash } = /src="(?<src>[^"]+)" integrity="sha384-(?<hash>[^"]+)"/.exec(
    snippet,
  )!.groups!;
  expect(src).toMatch(new RegExp(`/t/${companyKey}/${version}/dni.js$`));
  const pinned = await load(new URL(src!).pathname, { 'accept-encoding': 'br, gzip' });
  expect(pinned.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  const bytes = brotliDecompressSync(pinned.rawPayload);
  expect(createHash('sha384').update(bytes).digest('base64')).toBe(hash);
  const latest = new URL(/src="([^"]+)"/.exec(snippetLatest)![1]!).pathname;
  const floating = await load(latest);
  expect(floating.rawPayload.equals(bytes)).toBe(true);
  expect(floating.headers['cache-control']).toMatch(/max-age=300.*stale-if-error=604800/);
  expect(floating.headers['content-security-policy']).toBeUndefined();
  const again = await load(latest, { 'if-none-match': String(floating.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

it('a key that isn’t ours and a version that isn’t there are 404', async () => {
  const { owner } = await app.createCompany();
  const { companyKey } = await read(owner);
  for (const path of [
    `${companyKey}x/1/dni.js`,
    `${owner.companyId}-AAAAAAAAAAAAAA/1/dni.js`,
    `${companyKey}/2/dni.js`,
    `${companyKey}/1.0/dni.js`,
    `${companyKey}/..%2f/dni.js`,
    `${companyKey}/1/other.js`,
  ])
    expect((await load(`/t/${path}`)).statusCode, path).toBe(404);
});

it('every snippet carries the company’s own key and loads this version', async () => {
  const { owner } = await app.createCompany();
  const other = (await app.createCompany()).owner;
  const one = await read(owner);
  const { integrity, version } = currentRelease();
  for (const text of [
    one.snippet,
    one.gtmSnippet,
    one.wordpress.content,
    one.nextjs,
    one.shopify,
  ]) {
    expect(text).toContain(`/t/${one.companyKey}/${version}/dni.js`);
    expect(text).toContain(integrity);
  }
  expect((await read(other)).companyKey).not.toBe(one.companyKey);
});

it('the switch turns off new pages at once, pinned ones too, of this company only', async () => {
  const shop = await aSite(app, 2, settings);
  const other = await aSite(app, 2, settings);
  expect((await shop.open()).body.data.swaps).toHaveLength(1);
  expect((await turn(shop.owner, false)).body.data.isEnabled).toBe(false);
  expect((await shop.open()).body.data).toMatchObject({ swaps: [], sessionId: null });
  app.clock.advance(11);
  const path = (key: string) => `/t/${key}/1/dni.js`;
  expect((await load(path(shop.pool.companyKey))).body).toMatch(/^\/\* Switched off/);
  expect((await load(path(other.pool.companyKey))).body).toContain('DNI');
  expect((await other.open()).body.data.swaps).toHaveLength(1);
  await turn(shop.owner, true);
  expect((await shop.open()).body.data.swaps).toHaveLength(1);
  const { rows } = await app.services.db.pool.query(
    `select count(*)::int as n from audit_log where company_id = $1 and action = 'tracking_script.changed'`,
    [shop.owner.companyId],
  );
  expect(rows).toEqual([{ n: 2 }]);
});

it('knows where the script was heard from, of its own company', async () => {
  const shop = await aSite(app, 2, settings);
  const other = await aSite(app, 2, settings);
  expect((await read(shop.owner)).installed).toEqual({ lastSeenAt: null, domains: [] });
  const { sessionId } = (await shop.open({ version: '1.0.0' })).body.data;
  await expect
    .poll(async () => (await read(shop.owner)).installed.domains)
    .toMatchObject([{ host: 'www.shop.example', version: '1.0.0', swapped: null }]);
  await send(app, contract.addPageView, { sessionId, url: `${site}/`, swapped: 7 });
  await flushHits(app);
  await expect
    .poll(async () => (await read(shop.owner)).installed.domains)
    .toMatchObject([{ swapped: 7, swappedAt: expect.any(String) }]);
  expect((await read(other.owner)).installed.domains).toEqual([]);
});

it('a page’s JSON arrives as plain text; what isn’t JSON is refused', async () => {
  const shop = await aSite(app, 1, settings);
  const post = (payload: string) =>
    app.server.inject({
      method: 'POST',
      url: '/api/dni/v1/session',
      payload,
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: site, 'user-agent': browser },
    });
  const opened = await post(
    JSON.stringify({ companyKey: shop.pool.companyKey, url: `${site}/`, targets: [] }),
  );
  expect(opened.json().data.swaps).toHaveLength(1);
  for (const text of ['{', 'null', '[]', '{"__proto__": {"a": 1}}', 'x'.repeat(10_000)]) {
    const { statusCode } = await post(text);
    expect(statusCode >= 400 && statusCode < 500, `${text.slice(0, 20)} ${statusCode}`).toBe(true);
  }
});

it('a test shows the number of the source it names, and leases and counts nothing', async () => {
  const shop = await aSite(app, 3, { ...settings, mode: 'source' });
  const as = async (key: string) =>
    (await shop.open({ url: `${site}/?dni_test=${key}` })).body.data;
  const ads = await as('google_ads');
  const bing = await as('bing_ads');
  expect(ads).toMatchObject({ sessionId: null, heartbeat: 0 });
  expect(ads.test).toContain('Source: Google Ads');
  expect(bing.test).not.toEqual(ads.test);
  expect(ads.swaps[0]?.number).not.toBe(bing.swaps[0]?.number);
  const visitors = await aSite(app, 1, settings);
  const shown = (await visitors.open({ url: `${site}/?dni_test=google_ads` })).body.data;
  expect((await visitors.open()).body.data.swaps[0]?.number).toBe(shown.swaps[0]?.number);
  expect((await shop.open()).body.data.test).toBeUndefined();
  expect(await shop.rows('select 1 from tracking_visit where company_id = $1')).toHaveLength(1);
});

it('a target’s selectors reach the page', async () => {
  const shop = await aSite(app, 1, {
    swapTargets: [{ number: target, formats: 'auto', selectors: ['.phone'] }],
  });
  expect((await shop.open()).body.data.swaps[0]?.selectors).toEqual(['.phone']);
});
