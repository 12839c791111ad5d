import { describe, expect, it } from 'vitest';
import { tracking as contract, type Body } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  aNumber,
  aSite as siteIn,
  browser,
  doubledLeases as doubled,
  numberIn,
  send,
  site,
  type Site,
} from '../../../../test/support/tracking-site.ts';

const app = await createTestApp();
const aSite = (size: number, settings: Partial<Body<typeof contract.createPool>> = {}) =>
  siteIn(app, size, settings);
const beat = (sessionId: string | null, headers: Record<string, string> = {}) =>
  send(app, contract.continueVisit, { sessionId: sessionId ?? '' }, headers);
const visitsOf = ({ rows }: Site) =>
  rows(
    'select source_key, rule_id, outcome, medium from tracking_visit where company_id = $1 order by id',
  );

describe('a visit', () => {
  it('gets a number of its own, keeps it, and the pool shows it', async () => {
    const shop = await aSite(3);
    const first = await shop.open({ url: `${site}/implants?gclid=abc` });
    expect([first.status, first.body]).toEqual([200, expect.anything()]);
    expect(first.headers['access-control-allow-origin']).toBe(site);
    expect(first.body.data).toMatchObject({
      heartbeat: 60,
      swaps: [{ target: '+12125550100', expiresAt: expect.any(String) }],
    });
    const second = await shop.open();
    expect(numberIn(second)).not.toBe(numberIn(first));
    const { visitorId, sessionId } = first.body.data;
    const again = await shop.open({ visitorId, sessionId, url: `${site}/contact` });
    expect(numberIn(again)).toBe(numberIn(first));
    expect(again.body.data.sessionId).toBe(sessionId);
    expect(await shop.read()).toMatchObject({
      use: { leased: 2, free: 1 },
      neverSwapped: false,
      stats: { sessions24h: 2, peakConcurrent7d: 2, utilizationPct: 67 },
    });
    expect(await visitsOf(shop)).toEqual([
      { source_key: 'google_ads', rule_id: 'click.gclid', outcome: 'leased', medium: 'cpc' },
      { source_key: 'direct', rule_id: 'nothing.direct', outcome: 'leased', medium: null },
    ]);
  });

  it('lives as long as its page is heard of, then its number rests; the visitor gets it again', async () => {
    const shop = await aSite(2);
    const first = await shop.open();
    const { visitorId, sessionId } = first.body.data;
    for (let i = 0; i < 3; i++) {
      app.clock.advance(20 * 60);
      expect((await beat(sessionId)).body.data).toMatchObject({ isLive: true });
    }
    app.clock.advance(31 * 60);
    expect((await beat(sessionId)).body.data).toEqual({ isLive: false, expiresAt: null });
    expect(await shop.read()).toMatchObject({ use: { leased: 0, quarantine: 1, free: 1 } });
    // A stranger gets the other one, the visitor their own, which rests for nobody else.
    const stranger = await shop.open();
    expect(numberIn(stranger)).not.toBe(numberIn(first));
    const back = await shop.open({ visitorId });
    expect(numberIn(back)).toBe(numberIn(first));
    expect(back.body.data.sessionId).not.toBe(sessionId);
    expect(await doubled(shop)).toEqual([]);
  });

  it('keeps the number of each pool whose pages it goes back and forth between', async () => {
    const shop = await aSite(3, { excludePaths: ['/offers*'] });
    const { status } = await app.as(shop.owner).request(contract.createPool, {
      params: { companyId: shop.owner.companyId },
      body: {
        ...{ name: 'Offers', domains: ['shop.example'], includePaths: ['/offers*'] },
        numberIds: [await aNumber(app, shop.owner), await aNumber(app, shop.owner)],
      },
    });
    expect(status).toBe(201);
    const first = await shop.open();
    const { visitorId, sessionId } = first.body.data;
    const at = async (path: string) =>
      numberIn(await shop.open({ visitorId, sessionId, url: `${site}${path}` }));
    const offer = await at('/offers/spring');
    expect(offer).not.toBe(numberIn(first));
    for (let n = 0; n < 3; n += 1) {
      expect(await at('/contact')).toBe(numberIn(first));
      expect(await at('/offers/summer')).toBe(offer);
    }
    expect(await shop.read()).toMatchObject({ use: { leased: 1, free: 2 } });
    // Another visit of the same visitor has a number of its own, so that a call tells them apart.
    const later = await shop.open({ visitorId, url: `${site}/?gclid=abc` });
    expect(numberIn(later)).not.toBe(numberIn(first));
  });

  it('ends after twelve hours, however long its page stays open', async () => {
    const shop = await aSite(1, { sessionTimeoutMinutes: 240 });
    const { sessionId } = (await shop.open()).body.data;
    for (let hours = 3; hours < 12; hours += 3) {
      app.clock.advance(3 * 3600);
      expect((await beat(sessionId)).body.data.isLive).toBe(true);
    }
    app.clock.advance(3 * 3600 + 1);
    expect((await beat(sessionId)).body.data.isLive).toBe(false);
  });

  it('sees the default number when none is free, or shares one, and both are counted', async () => {
    const shop = await aSite(1);
    const own = numberIn(await shop.open());
    const late = await shop.open();
    expect(numberIn(late)).not.toBe(own);
    expect(late.body.data.heartbeat).toBe(0);
    await shop.change({ exhaustedPolicy: 'share' });
    const shared = await shop.open();
    expect(numberIn(shared)).toBe(own);
    expect((await beat(shared.body.data.sessionId)).body.data.isLive).toBe(true);
    expect((await shop.read()).stats).toMatchObject({ sessions24h: 3, exhaustedCount24h: 2 });
    expect((await visitsOf(shop)).map(({ outcome }) => outcome)).toEqual([
      'leased',
      'exhausted',
      'shared',
    ]);
  });

  it('goes on sharing its number when another becomes free', async () => {
    const shop = await aSite(2, { exhaustedPolicy: 'share' });
    const first = await shop.open();
    await shop.open();
    const shared = await shop.open();
    const { visitorId, sessionId } = shared.body.data;
    expect(numberIn(shared)).toBe(numberIn(first));
    for (let i = 0; i < 3; i++) {
      app.clock.advance(25 * 60);
      await beat(sessionId);
    }
    expect((await shop.read()).use).toMatchObject({ leased: 1, free: 1 });
    const again = await shop.open({ visitorId, sessionId });
    expect(numberIn(again)).toBe(numberIn(shared));
    expect((await visitsOf(shop)).map(({ outcome }) => outcome)).toEqual([
      ...['leased', 'leased', 'shared'],
    ]);
  });

  it('answers pages and heartbeats of the same visits at the same time', async () => {
    const shop = await aSite(3, { exhaustedPolicy: 'share' });
    const visits = await Promise.all(Array.from({ length: 5 }, () => shop.open()));
    const asked = Array.from({ length: 6 }).flatMap(() =>
      visits.flatMap(({ body: { data } }) => [
        beat(data.sessionId),
        shop.open({ visitorId: data.visitorId, sessionId: data.sessionId }),
      ]),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('never gets the number of another, however many come at once', async () => {
    const shop = await aSite(7);
    const all = await Promise.all(Array.from({ length: 40 }, () => shop.open()));
    const own = all.filter(({ body }) => body.data.heartbeat > 0).map(numberIn);
    expect(own).toHaveLength(7);
    expect(new Set(own).size).toBe(7);
    expect(await doubled(shop)).toEqual([]);
  });
});

describe('no number is given', () => {
  it('to other websites, unknown keys and made-up sessions', async () => {
    const [shop, other] = [await aSite(1), await aSite(1, { domains: ['other.example'] })];
    const refused = { code: 'visit.wrong_site' };
    for (const origin of ['https://evil.example', 'https://shop.example.evil.test', 'null', ''])
      expect((await shop.open({}, { origin })).body).toMatchObject(refused);
    expect((await shop.open({ url: 'https://other.example/' })).body).toMatchObject(refused);
    expect((await other.open()).body).toMatchObject(refused);
    const key = shop.pool.companyKey;
    for (const companyKey of ['1', `${key}x`, key.replace(/^\d+/, '1'), "1-'; drop table number"])
      expect((await shop.open({ companyKey })).body).toMatchObject({ code: 'visit.unknown_key' });
    const { sessionId } = (await shop.open()).body.data;
    for (const forged of [`${sessionId}x`, '1-1-abc', String(sessionId).replace(/-\w+-/, '-1-')])
      expect((await beat(forged)).body).toMatchObject({ code: 'visit.unknown_session' });
    expect((await beat(sessionId, { origin: 'https://other.example' })).body).toMatchObject(
      refused,
    );
    // A session of another company begins a new visit here.
    const foreign = await shop.open({ sessionId: sessionId!.replace(/^\d+/, '1') });
    expect(foreign.body.data.sessionId).not.toBe(sessionId);
    expect((await shop.open({ url: `${site}/${'x'.repeat(10_000)}` })).status).toBe(422);
    expect((await shop.open({ url: `${site}/?${'a=b&'.repeat(500)}` })).status).toBe(200);
  });

  it('to crawlers and visitors who didn’t agree; nothing is stored of them', async () => {
    const shop = await aSite(2, { consentMode: 'wait', respectDnt: true });
    const unseen = [
      await shop.open(),
      await shop.open({ consent: false }),
      await shop.open({ consent: true }, { dnt: '1' }),
      await shop.open(
        { consent: true },
        { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      ),
      await shop.open({ consent: true }, { 'user-agent': `${browser} HeadlessChrome/140` }),
    ];
    const { defaultNumberId } = shop.pool;
    const {
      rows: [main],
    } = await app.services.db.pool.query('select number from number where id = $1', [
      defaultNumberId,
    ]);
    for (const { body } of unseen)
      expect(body.data).toMatchObject({
        visitorId: null,
        sessionId: null,
        heartbeat: 0,
        swaps: [{ number: main.number }],
      });
    expect(await visitsOf(shop)).toEqual([]);
    expect((await shop.open({ consent: true })).body.data.heartbeat).toBe(60);
  });

  it('too often: sixty requests a minute and visit', async () => {
    const shop = await aSite(1);
    const { sessionId } = (await shop.open()).body.data;
    let last = 0;
    for (let i = 0; i < 61; i++) last = (await beat(sessionId)).status;
    expect(last).toBe(429);
  });
});

it('browsers may ask whether a page of another website can call', async () => {
  const answer = await app.as(null).inject({
    method: 'OPTIONS',
    url: '/api/dni/v1/session',
    headers: { origin: site, 'access-control-request-method': 'POST' },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe(site);
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
});
