import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tracking as contract, type Body } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  aSite as siteIn,
  browser,
  flushHits,
  send,
  site,
  type Site,
} from '../../../../test/support/tracking-site.ts';
import { retention } from '../../../app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { metricsText } from '../../../platform/metrics.ts';
import { deleteExpiredRows } from '../../../platform/retention.ts';
import { sessionToken } from '../visits/tokens.ts';
import { cutAddress } from './cut-address.ts';
import { makeDays } from './make-days.ts';
import { makeDay } from './store.ts';

const app = await createTestApp({
  env: { TRUST_PROXY: 'loopback', REGION_HEADER: 'X-Visitor-Region' },
});
const aSite = (size: number, settings: Partial<Body<typeof contract.createPool>> = {}) =>
  siteIn(app, size, settings);
const token = async (shop: Site, ...open: Parameters<Site['open']>) =>
  (await shop.open(...open)).body.data.sessionId ?? '';
const view = (
  sessionId: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => send(app, contract.addPageView, { sessionId, url: `${site}/`, ...body }, headers);
const tell = (sessionId: string, body: Record<string, unknown> = {}) =>
  send(app, contract.addVisitEvent, { sessionId, name: 'form_sent', ...body });
const hitsOf = async ({ rows }: Site) => {
  await flushHits(app);
  return rows('select * from tracking_hit where company_id = $1 order by at, id');
};
const droppedOf = async ({ read }: Site) => {
  await flushHits(app);
  return (await read()).hits24h.dropped;
};

describe('a page view', () => {
  it('is stored with its visit within a batch, in order, with events; the pool counts them', async () => {
    const shop = await aSite(2);
    const [first, second] = [await token(shop), await token(shop)];
    expect((await view(first, { url: `${site}/implants`, title: 'Implants' })).status).toBe(204);
    await view(second, { url: `${site}/a?gclid=x` });
    await tell(first, {
      url: `${site}/implants`,
      data: { form: 'Appointment', fields: 3, ok: true },
    });
    const stored = await hitsOf(shop);
    expect(stored).toMatchObject([
      { kind: 'pageview', url: `${site}/implants`, title: 'Implants', source_key: null },
      // Another advertisement within a visit is a touch of its own.
      { kind: 'pageview', url: `${site}/a?gclid=x`, source_key: 'google_ads' },
      { kind: 'event', name: 'form_sent', data: { form: 'Appointment', fields: 3, ok: true } },
    ]);
    expect(stored[0].visit_id).toBe(stored[2].visit_id);
    expect(
      await shop.rows(
        'select page_count, event_count from tracking_visit where company_id = $1 order by id',
      ),
    ).toEqual([
      { page_count: 1, event_count: 1 },
      { page_count: 1, event_count: 0 },
    ]);
    expect((await shop.read()).hits24h).toEqual({ pageViews: 2, events: 1, dropped: [] });
  });

  it('keeps the number of its visit, as a heartbeat does', async () => {
    const shop = await aSite(1);
    const session = await token(shop);
    for (let i = 0; i < 3; i++) {
      app.clock.advance(20 * 60);
      await view(session);
      await flushHits(app);
    }
    expect((await shop.read()).use).toMatchObject({ leased: 1 });
    app.clock.advance(31 * 60);
    await view(session);
    expect(await droppedOf(shop)).toEqual([{ kind: 'pageview', reason: 'visit_over', count: 1 }]);
  });

  it('is stored up to fifty times a visit, all are counted, however they arrive', async () => {
    const shop = await aSite(1);
    const session = await token(shop);
    for (let i = 0; i < 30; i++) await view(session, { url: `${site}/${i}` });
    await flushHits(app);
    for (let i = 30; i < 58; i++) await view(session, { url: `${site}/${i}` });
    const stored = await hitsOf(shop);
    expect(stored).toHaveLength(50);
    expect(stored.at(-1)?.url).toBe(`${site}/49`);
    expect(await shop.rows('select page_count from tracking_visit where company_id = $1')).toEqual([
      { page_count: 58 },
    ]);
    expect(await droppedOf(shop)).toEqual([{ kind: 'pageview', reason: 'too_many', count: 8 }]);
  });

  it('that still waits is stored when the process ends', async () => {
    const other = await createTestApp();
    const shop = await siteIn(other, 1);
    const { sessionId } = (await shop.open()).body.data;
    await send(other, contract.addPageView, { sessionId, url: `${site}/last` });
    const count = async () =>
      (await shop.rows('select url from tracking_hit where company_id = $1')).length;
    const isLost = (await count()) === 0;
    await other.server.close();
    expect([isLost, await count()]).toEqual([true, 1]);
  });
});

describe('what isn’t counted', () => {
  it('has a reason at the pool and in the metrics', async () => {
    const shop = await aSite(1, { respectDnt: true });
    const session = await token(shop);
    await view(session, {}, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
    await view(session, {}, { dnt: '1' });
    await view(session, { url: 'https://evil.example/' });
    await view(session, { url: 'javascript:alert(1)' });
    await shop.open({}, { 'user-agent': `${browser} HeadlessChrome/140` });
    await shop.open({ consent: false });
    expect(await hitsOf(shop)).toEqual([]);
    expect(await droppedOf(shop)).toEqual([
      { kind: 'pageview', reason: 'bot', count: 1 },
      { kind: 'pageview', reason: 'do_not_track', count: 1 },
      { kind: 'pageview', reason: 'unreadable_page', count: 1 },
      { kind: 'pageview', reason: 'wrong_site', count: 1 },
      { kind: 'session', reason: 'bot', count: 1 },
      { kind: 'session', reason: 'no_consent', count: 1 },
    ]);
    const metrics = await metricsText();
    for (const [step, reason] of [
      ['bot', 'bot'],
      ['origin', 'wrong_site'],
      ['consent', 'do_not_track'],
      ['source', 'unreadable_page'],
    ])
      expect(metrics).toMatch(
        new RegExp(
          `tracking_hits_dropped_total\\{kind="pageview",step="${step}",reason="${reason}"\\} [1-9]`,
        ),
      );
    for (const step of contract.hitSteps)
      expect(metrics).toContain(`tracking_step_seconds_count{step="${step}"}`);
  });

  it('includes forged and foreign visits, other websites and input that is too large', async () => {
    const [shop, other] = [await aSite(1), await aSite(1, { domains: ['other.example'] })];
    const session = await token(shop);
    const unknown = { status: 404, body: { code: 'visit.unknown_session' } };
    for (const forged of [
      'x',
      '',
      `${session}x`,
      session.replace(/^\d+/, String(other.owner.companyId)),
    ])
      if (forged) expect(await view(forged)).toMatchObject(unknown);
    const refused = { status: 403, body: { code: 'visit.wrong_site' } };
    for (const origin of ['https://evil.example', 'https://other.example', 'null', ''])
      expect(await view(session, {}, { origin })).toMatchObject(refused);
    for (const body of [
      { url: `${site}/${'x'.repeat(10_000)}` },
      { title: 'x'.repeat(2000) },
      { cookies: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`c${i}`, 'x'])) },
      { url: 7 },
    ])
      expect((await view(session, body)).status).toBe(422);
    const params = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`c${i}`, i]));
    for (const body of [{ data: params }, { name: '1; drop' }, { data: { a: { b: 1 } } }])
      expect((await tell(session, body)).status).toBe(422);
    // A visit that was deleted, or of a pool that was, is no error of the page.
    const gone = sessionToken(app.services.settings.appSecrets, shop.owner.companyId, 17);
    expect((await view(gone)).status).toBe(204);
    expect(await hitsOf(shop)).toEqual([]);
    expect(await hitsOf(other)).toEqual([]);
  });

  it('is never whole because of text that can’t be stored', async () => {
    const shop = await aSite(1);
    const session = await token(shop, { url: `${site}/?gclid=%00&utm_campaign=%ff%00` });
    expect(session).not.toBe('');
    await view(session, {
      title: 'a\u0000b\ud800',
      url: `${site}/?a=%00%ff&${'b=1&'.repeat(500)}`,
    });
    await tell(session, { data: { 'k\u0000': '\ud800\u0000x' } });
    const raw = await app.server.inject({
      method: 'POST',
      url: '/api/dni/v1/pageview',
      headers: { origin: site, 'user-agent': browser, 'content-type': 'application/json' },
      payload: Buffer.concat([
        Buffer.from(`{"sessionId":"${session}","url":"${site}/raw","title":"`),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from('"}'),
      ]),
    });
    expect(raw.statusCode).toBe(204);
    expect(await hitsOf(shop)).toMatchObject([
      { title: 'ab\ufffd' },
      { name: 'form_sent', data: { k: '\ufffdx' } },
      { url: `${site}/raw` },
    ]);
  });
});

describe('of the visitor', () => {
  it('only part of the address is kept, and the region that the proxy says', async () => {
    const shop = await aSite(2);
    const proxied = { 'x-forwarded-for': '203.0.113.77', 'x-visitor-region': 'US-CA' };
    const session = await token(shop, {}, proxied);
    await view(session, {}, proxied);
    await view(session, {}, { 'x-visitor-region': 'NY' });
    const visits = await shop.rows('select ip, region from tracking_visit where company_id = $1');
    expect(visits).toEqual([{ ip: '203.0.113.0', region: 'CA' }]);
    expect((await hitsOf(shop)).map(({ ip, region }) => [ip, region])).toEqual([
      ['203.0.113.0', 'CA'],
      // Not through a proxy: anyone could have written it.
      ['127.0.0.0', null],
    ]);
    expect(cutAddress('2001:db8:85a3::8a2e:370:7334')).toBe('2001:db8:85a3::');
    expect(cutAddress('::1')).toBe('0:0:0::');
    expect(cutAddress('::ffff:198.51.100.9')).toBe('198.51.100.0');
    expect(cutAddress('unknown')).toBeNull();
  });

  it('the parameters and cookies that the pool names are kept, and no others', async () => {
    const shop = await aSite(1, {
      captureParams: ['Lead', 'ref'],
      captureCookies: ['_ga', '_fbp'],
    });
    const first = await shop.open({
      url: `${site}/?lead=77&password=secret`,
      params: { ref: 'mail', other: 'x' },
      cookies: { _ga: 'GA1.2', session: 'secret' },
    });
    expect(first.body.data.capture).toEqual({ cookies: ['_ga', '_fbp'] });
    const { sessionId } = first.body.data;
    await view(sessionId ?? '', { cookies: { _fbp: 'fb.1', _ga: 'later', token: 'secret' } });
    await shop.open({ sessionId, url: `${site}/?lead=78` });
    await flushHits(app);
    expect(await shop.rows('select captured from tracking_visit where company_id = $1')).toEqual([
      {
        captured: {
          params: { Lead: '77', ref: 'mail' },
          cookies: { _ga: 'GA1.2', _fbp: 'fb.1' },
        },
      },
    ]);
    await shop.change({ consentMode: 'anonymous' });
    const anonymous = await shop.open({ cookies: { _ga: 'GA1.9' } });
    expect(anonymous.body.data.capture).toEqual({ cookies: [] });
  });
});

describe('the days', () => {
  const days = async () =>
    (
      await app.services.db.pool.query(
        `select inhrelid::regclass::text as name from pg_inherits
         where inhparent = 'tracking_hit'::regclass order by 1`,
      )
    ).rows.map(({ name }) => name);
  const nameOf = (daysAhead: number) =>
    `tracking_hit_${new Date(app.clock.value.getTime() + daysAhead * 86_400_000)
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '')}`;
  let shop: Site;
  beforeAll(async () => {
    shop = await aSite(1);
  });
  afterAll(() => flushHits(app));

  it('are made before they are needed, and dropped whole when they are old', async () => {
    const today = nameOf(0);
    await view(await token(shop));
    expect(await hitsOf(shop)).toHaveLength(1);
    await makeDays({ db: app.services.db, now: app.clock.value });
    expect(await days()).toEqual(expect.arrayContaining([today, nameOf(1), nameOf(2)]));
    app.clock.advance(90 * 86_400);
    await deleteExpiredRows(systemCtx(app.services, 0, app.notifier), retention.rules);
    expect(await days()).toContain(today);
    app.clock.advance(86_400);
    await deleteExpiredRows(systemCtx(app.services, 0, app.notifier), retention.rules);
    expect(await days()).not.toContain(today);
    expect(await hitsOf(shop)).toEqual([]);
    // After a long rest nobody has made today's.
    await view(await token(shop));
    expect(await hitsOf(shop)).toHaveLength(1);
  });

  it('are made once when several processes need them at the same time', async () => {
    for (let ahead = 10; ahead < 30; ahead++) {
      const day = new Date(app.clock.value.getTime() + ahead * 86_400_000);
      await Promise.all(Array.from({ length: 6 }, () => makeDay(app.services.db, day)));
      expect(await days()).toContain(nameOf(ahead));
    }
  });

  it('can’t be read past row-level security', async () => {
    const read = app.services.db.transaction({ companyId: shop.owner.companyId }, (tx) =>
      sql`select from ${sql.table(nameOf(0))}`.execute(tx),
    );
    await expect(read).rejects.toThrow(/permission denied/);
  });
});
