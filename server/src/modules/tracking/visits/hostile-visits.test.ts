import { describe, expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  aSite,
  browser,
  doubledLeases,
  flushHits,
  numberIn,
  send,
  site,
} from '../../../../test/support/tracking-site.ts';

/** Whatever a page sends, it gets a clear 4xx or a number of its own company, and never an error. */
const app = await createTestApp();
const [shop, other] = [await aSite(app, 3), await aSite(app, 3, { domains: ['other.example'] })];
const own = new Set([...shop.pool.numbers.map(({ number }) => number)]);
const count = async () =>
  Number((await shop.rows('select count(*) n from tracking_visit where company_id = $1'))[0].n);
const raw = (payload: Buffer) =>
  app.server.inject({
    method: 'POST',
    url: '/api/dni/v1/session',
    headers: { 'content-type': 'application/json', origin: site, 'user-agent': browser },
    payload,
  });

describe('what a page sends', () => {
  it.each([
    ['an address of 10 kB', { url: `${site}/?x=${'a'.repeat(10_000)}` }],
    ['an address that can’t be read', { url: 'https://%' }],
    ['no address', { url: '' }],
    ['a referrer of 10 kB', { referrer: `https://www.google.com/?q=${'a'.repeat(10_000)}` }],
    [
      '500 parameters beside it',
      { params: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, 'x'])) },
    ],
    // The type forbids what a page can send all the same.
    ['a text where a list is meant', { targets: 'all' as never }],
    ['an unknown key of a company', { companyKey: '1-aaaaaaaaaaaaaa' }],
    ['another company’s key', { companyKey: other.pool.companyKey }],
  ])('%s: a clear 4xx, and nothing is stored', async (_name, body) => {
    const before = await count();
    const { status, body: said } = await shop.open(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(said).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\w/) });
    expect(await count()).toBe(before);
  });

  it.each([
    [
      '500 parameters in its address',
      `${site}/?${Array.from({ length: 500 }, (_, i) => `p${i}=x`).join('&')}`,
    ],
    ['bytes that are no text', `${site}/%ff%fe?utm_source=%ff&gclid=%00`],
    ['half a character and a null', `${site}/\ud800?utm_campaign=\u0000a`],
    ['the same tag a hundred times', `${site}/?${'utm_source=a&'.repeat(100)}`],
  ])('%s: a number of its own', async (_name, url) => {
    app.clock.advance(3 * 3600);
    const answer = await shop.open({ url });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(own).toContain(numberIn(answer));
    const session = { sessionId: answer.body.data.sessionId, url };
    for (const endpoint of [contract.continueVisit, contract.addPageView])
      expect((await send(app, endpoint, session)).status).toBeLessThan(300);
    await flushHits(app);
  });

  it('a body that isn’t UTF-8, isn’t JSON, or is too large', async () => {
    const json = JSON.stringify({
      companyKey: shop.pool.companyKey,
      url: `${site}/X`,
      targets: [],
    });
    const broken = Buffer.from(json);
    broken[broken.indexOf('X')] = 0xff;
    expect((await raw(broken)).statusCode).toBeLessThan(500);
    for (const payload of [Buffer.from('{"url":'), Buffer.alloc(200_000, 0x20)]) {
      const { statusCode, body } = await raw(payload);
      expect(String(statusCode)).toMatch(/^4/);
      expect(JSON.parse(body)).toMatchObject({ message: expect.stringMatching(/\w/) });
    }
  });
});

it('a session that is replayed elsewhere or made up names no one’s visit', async () => {
  app.clock.advance(3 * 3600);
  const first = await shop.open();
  const { sessionId, visitorId } = first.body.data;
  const there = await other.open(
    { companyKey: other.pool.companyKey, url: 'https://other.example/', sessionId },
    { origin: 'https://other.example' },
  );
  expect(there.body.data.sessionId).not.toBe(sessionId);
  expect(own).not.toContain(numberIn(there));
  const forged = `${sessionId!.slice(0, -3)}aaa`;
  expect((await send(app, contract.continueVisit, { sessionId: forged })).status).toBe(404);
  expect((await shop.open({ sessionId: forged })).body.data.sessionId).not.toBe(forged);
  // Its own page goes on with it, however often.
  for (let i = 0; i < 3; i++)
    expect(numberIn(await shop.open({ sessionId, visitorId }))).toBe(numberIn(first));
  expect(await doubledLeases(shop)).toEqual([]);
});

it.each([
  ['ahead', 86_400],
  ['behind', -86_400],
])('a server whose clock is a day %s leases no number twice', async (_name, seconds) => {
  const site2 = await aSite(app, 2);
  const first = await site2.open();
  app.clock.advance(seconds);
  const second = await site2.open();
  const { sessionId } = first.body.data;
  const beat = await send(app, contract.continueVisit, { sessionId: sessionId ?? '' });
  expect(beat.status).toBe(200);
  app.clock.advance(-seconds);
  const third = await site2.open();
  for (const answer of [first, second, third]) expect(answer.status).toBe(200);
  expect(numberIn(third)).not.toBe(numberIn(first));
  expect(await doubledLeases(site2)).toEqual([]);
});
