import { expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  aNumber,
  aSite,
  browser,
  flushHits,
  numberIn,
  send,
  site,
} from '../../../../test/support/tracking-site.ts';

/** Visitors who go from one website of a company to another by a link. */
const app = await createTestApp();
const other = 'https://www.parts.example';
const both = ['shop.example', 'parts.example'];
type Shop = Awaited<ReturnType<typeof aShop>>;
const aShop = (settings: Parameters<typeof aSite>[2] = {}) =>
  aSite(app, 4, { domains: both, crossDomains: both, ...settings });
/** Opens a page of the other website, by a link with this token. */
const arrive = (
  shop: Shop,
  token: string | undefined,
  { headers = {}, ...body }: Record<string, unknown> & { headers?: Record<string, string> } = {},
) =>
  shop.open(
    { url: `${other}/a?x=1&_dni=${token}&y=2#top`, referrer: `${site}/`, page: 1, ...body },
    { origin: other, ...headers },
  );
const linkOf = ({ body }: Awaited<ReturnType<Shop['open']>>) => body.data.links?.token;

it('keeps visitor, visit and number on the other website, and stores the token nowhere', async () => {
  const shop = await aShop();
  const first = await shop.open({ url: `${site}/?gclid=abc` });
  expect(first.body.data).toMatchObject({ extras: true, links: { domains: both } });
  const there = await arrive(shop, linkOf(first));
  const { visitorId, sessionId } = first.body.data;
  expect(there.body.data).toMatchObject({ visitorId, sessionId });
  expect(numberIn(there)).toBe(numberIn(first));
  const sent = { sessionId, url: `${other}/a?_dni=${linkOf(first)}`, title: 'A' };
  await send(app, contract.addPageView, sent, { origin: other });
  await flushHits(app);
  expect(
    await shop.rows('select url, source_key from tracking_visit where company_id = $1'),
  ).toEqual([{ url: `${site}/?gclid=abc`, source_key: 'google_ads' }]);
  expect(await shop.rows('select url from tracking_hit where company_id = $1')).toEqual([
    { url: `${other}/a` },
  ]);
  const { rows } = await app.services.db.pool.query(
    "select row_to_json(v)::text || coalesce((select string_agg(row_to_json(h)::text, '') from tracking_hit h where h.visit_id = v.id), '') as all from tracking_visit v where company_id = $1",
    [shop.owner.companyId],
  );
  expect(JSON.stringify(rows)).not.toContain(linkOf(first));
});

it('the same page can ask again with its token; any other page is of a new visitor', async () => {
  const shop = await aShop();
  const first = await shop.open();
  const token = linkOf(first);
  const { visitorId } = first.body.data;
  expect((await arrive(shop, token)).body.data.visitorId).toBe(visitorId);
  expect((await arrive(shop, token)).body.data.visitorId).toBe(visitorId);
  for (const page of [2, undefined]) {
    const replayed = await arrive(shop, token, { page });
    expect(replayed.body.data.visitorId).not.toBe(visitorId);
    expect(numberIn(replayed)).not.toBe(numberIn(first));
  }
  // Two at once: one of them is the visitor.
  const next = await send(app, contract.continueVisit, { sessionId: first.body.data.sessionId });
  expect(next.body.data.link).toEqual(expect.any(String));
  const raced = await Promise.all(
    [3, 4].map((page) => arrive(shop, next.body.data.link, { page })),
  );
  expect(raced.filter(({ body }) => body.data.visitorId === visitorId)).toHaveLength(1);
});

it('a late, changed or foreign token is ignored, also by the other company', async () => {
  const [shop, foreign] = [await aShop(), await aShop()];
  const first = await shop.open();
  const token = linkOf(first) ?? '';
  const { visitorId } = first.body.data;
  const isNew = async (at: Shop, wrong: string) => {
    const { status, body } = await arrive(at, wrong);
    expect(status).toBe(200);
    expect(body.data.visitorId).toEqual(expect.any(String));
    expect(body.data.visitorId).not.toBe(visitorId);
  };
  await isNew(foreign, token);
  const [company, visit, at, signature] = token.split('-');
  await isNew(
    shop,
    [company, visit, (Number.parseInt(at!, 36) + 1).toString(36), signature].join('-'),
  );
  await isNew(foreign, [foreign.owner.companyId, visit, at, signature].join('-'));
  for (const wrong of [`${token}x`, token.slice(0, -1), 'x', '%00', `${'9'.repeat(40)}-a-b-c`])
    await isNew(shop, wrong);
  // A fifth visitor would find no number: these were all new.
  app.clock.advance(121);
  await isNew(shop, token);
  expect(
    await foreign.rows(
      "select links_used from tracking_visit where company_id = $1 and links_used <> '{}'",
    ),
  ).toEqual([]);
});

it('carries only between websites of a pool, and to another pool only the visitor', async () => {
  const shop = await aShop({ domains: ['shop.example'], crossDomains: ['parts.example'] });
  const numberIds = [await aNumber(app, shop.owner)];
  const parts = await app.as(shop.owner).request(contract.createPool, {
    params: { companyId: shop.owner.companyId },
    body: { name: 'Parts', numberIds, domains: ['parts.example', 'third.example'] },
  });
  expect(parts.status).toBe(201);
  const first = await shop.open();
  const { visitorId, sessionId } = first.body.data;
  const third = 'https://third.example';
  const elsewhere = await shop.open(
    { url: `${third}/?_dni=${linkOf(first)}`, page: 1 },
    { origin: third },
  );
  expect(elsewhere.body.data.visitorId).not.toBe(visitorId);
  app.clock.advance(31 * 60);
  const again = await shop.open({ visitorId });
  const there = await arrive(shop, linkOf(again));
  expect(there.body.data).toMatchObject({ visitorId });
  expect(there.body.data.sessionId).not.toBe(again.body.data.sessionId);
  expect(sessionId).not.toBe(again.body.data.sessionId);
  expect(numberIn(there)).not.toBe(numberIn(again));
  expect(there.body.data.links).toBeUndefined();
});

it('without agreement, in a test, for bots and anonymous visitors nothing is carried or used up', async () => {
  const shop = await aShop({ consentMode: 'wait' });
  const refused = await shop.open();
  expect(refused.body.data).not.toHaveProperty('links');
  const first = await shop.open({ consent: true });
  const token = linkOf(first);
  const { visitorId } = first.body.data;
  const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  const test = { url: `${other}/?dni_test=google_ads&_dni=${token}` };
  for (const given of [
    { page: 7 },
    { consent: false },
    { ...test, consent: true },
    { consent: true, headers: bot },
  ])
    expect((await arrive(shop, token, given)).body.data.visitorId).toBeNull();
  const agreed = await arrive(shop, token, { consent: true, headers: { 'user-agent': browser } });
  expect(agreed.body.data).toMatchObject({ visitorId });
  await shop.change({ consentMode: 'anonymous' });
  const later = await shop.open();
  expect(later.body.data).toMatchObject({ visitorId: null, sessionId: expect.any(String) });
  expect(later.body.data).not.toHaveProperty('links');
  const beat = await send(app, contract.continueVisit, { sessionId: later.body.data.sessionId });
  expect(beat.body.data).not.toHaveProperty('link');
  expect((await arrive(shop, token, { page: 1 })).body.data.visitorId).toBeNull();
});

it('a pool without other websites carries nothing, and serves what extras there are', async () => {
  const shop = await aShop({ crossDomains: [] });
  const first = await shop.open();
  expect(first.body.data).not.toHaveProperty('links');
  expect(first.body.data).not.toHaveProperty('extras');
  const get = (version: string, key = shop.pool.companyKey) =>
    app.as(null).inject({ method: 'GET', url: `/t/${key}/${version}/extras.js` });
  expect((await get('1')).headers['cache-control']).toContain('max-age=300');
  expect((await get('1.1.0')).headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': expect.stringContaining('immutable'),
    'content-type': expect.stringContaining('javascript'),
  });
  for (const [version, key] of [['1.0.0'], ['2'], ['1.1.0', '1-forged']])
    expect((await get(version!, key)).status).toBe(404);
});
