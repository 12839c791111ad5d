import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calls, sourceReports as contract, type BodyIn } from '#contract';
import { reportGroups } from '#contract/analytics/source-reports/rules';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { site, trackedSite } from '../../../../test/support/tracking-site.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

const { world: app, aCall } = await createCallHarness();
type Site = Awaited<ReturnType<typeof trackedSite>>;
let callers = 0;
async function ring(number: string, from = `+1212555${String(8000 + callers++)}`) {
  const call = aCall(number, from);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  return { id: await call.id(), from };
}
const day = (back = 0) =>
  new Date(app.clock.value.getTime() - back * 86_400_000).toISOString().slice(0, 10);
const ask = (as: TestPerson, body: Partial<BodyIn<typeof contract.reportSources>> = {}) =>
  app.as(as).request(contract.reportSources, {
    body: { company_id: as.companyId, startDate: day(60), endDate: day(), ...body },
  });
const save = (
  as: TestPerson,
  name: string,
  body: Partial<BodyIn<typeof contract.saveSourceReport>> = {},
) =>
  app.as(as).request(contract.saveSourceReport, {
    body: { company_id: as.companyId, startDate: day(60), endDate: day(), name, ...body },
  });
async function report(shop: Site, body: Parameters<typeof ask>[1] = {}) {
  const answer = await ask(shop.owner, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const callsBy = async (shop: Site, body: Parameters<typeof ask>[1]) =>
  Object.fromEntries((await report(shop, body)).data.rows.map((row) => [row.key, row.calls]));

/** Two visitors: one from an ad and later a search, who calls twice; one from a search, who doesn't. */
async function aShop() {
  const shop = await trackedSite(app, 3);
  const ad = await shop.open({
    url: `${site}/implants?gclid=Ea1&utm_campaign=spring&utm_term=implants+nyc`,
  });
  const first = await ring(ad.number);
  app.clock.advance(7 * 86_400);
  const search = await shop.open({
    visitorId: ad.visitorId,
    url: `${site}/prices?x=1`,
    referrer: 'https://www.bing.com/',
  });
  await shop.open({ url: `${site}/`, referrer: 'https://www.bing.com/' });
  const second = await ring(search.number, first.from);
  await app.as(shop.owner).request(calls.updateCall, {
    params: { id: second.id },
    body: { qualified: true, value_cents: 10_001 },
  });
  return { shop, first, second };
}

describe('a report', () => {
  it('counts calls by source in each model, with visits, outcomes and totals', async () => {
    const { shop } = await aShop();
    const { data, meta } = await report(shop, { attributionModel: 'linear' });
    expect(data.rows).toMatchObject([
      { key: 'google_ads', label: 'Google Ads', sessions: 1, calls: 1.5, value_cents: 5001 },
      { key: 'bing_organic', sessions: 2, calls: 0.5, qualified: 0.5, call_rate: 25 },
    ]);
    expect(data.totals).toMatchObject({
      sessions: 3,
      calls: 2,
      first_time_callers: 1,
      qualified: 1,
      value_cents: 10_001,
    });
    expect(meta).toMatchObject({
      groupBy: 'source',
      attributionModel: 'linear',
      as_of: app.clock.value.toISOString(),
    });
    expect(await callsBy(shop, {})).toEqual({ google_ads: 2, bing_organic: 0 });
    expect(await callsBy(shop, { attributionModel: 'last_touch' })).toEqual({
      google_ads: 1,
      bing_organic: 1,
    });
    expect(await callsBy(shop, { attributionModel: 'w_shaped' })).toEqual({
      google_ads: 1.7,
      bing_organic: 0.3,
    });
  });

  it('has every group, and each has all calls', async () => {
    const { shop } = await aShop();
    const by: Record<string, Record<string, number>> = {};
    for (const groupBy of reportGroups) {
      const { rows, totals } = (await report(shop, { groupBy, attributionModel: 'last_touch' }))
        .data;
      expect(totals).toMatchObject({ calls: 2, sessions: 3 });
      expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(2);
      expect(rows.reduce((sum, row) => sum + row.sessions, 0)).toBe(3);
      by[groupBy] = Object.fromEntries(rows.map((row) => [row.label, row.calls]));
    }
    expect(by).toMatchObject({
      campaign: { spring: 1, None: 1 },
      keyword: { 'implants nyc': 1 },
      landing: { [`${site}/implants`]: 1, [`${site}/prices`]: 1 },
      pool: { Site: 2 },
      device: { desktop: 2 },
      region: { None: 2 },
      day: { [day(7)]: 1, [day()]: 1 },
    });
    expect(Object.keys(by['number'] ?? {}).every((label) => /^\+1\d{10}$/.test(label))).toBe(true);
  });

  it('has only what its filters leave', async () => {
    const { shop } = await aShop();
    const model = { attributionModel: 'linear' } as const;
    const filtered = (filters: BodyIn<typeof contract.reportSources>['filters']) =>
      callsBy(shop, { ...model, filters });
    expect(await filtered({ sources: ['bing_organic'] })).toEqual({ bing_organic: 0.5 });
    expect(await filtered({ campaigns: ['spring'] })).toEqual({ google_ads: 1.5 });
    expect(await filtered({ devices: ['mobile'] })).toEqual({});
    expect(await filtered({ poolIds: [shop.pool.id] })).toEqual({
      google_ads: 1.5,
      bing_organic: 0.5,
    });
    expect(await filtered({ numberIds: [shop.defaultNumberId] })).toEqual({});
    expect(await callsBy(shop, { ...model, endDate: day(7) })).toEqual({ google_ads: 1 });
  });

  it('by day and hour follows the zone that is asked for', async () => {
    const shop = await trackedSite(app, 1);
    app.clock.advance(86_400 - ((app.clock.value.getTime() / 1000) % 86_400) + 2 * 3600);
    await ring((await shop.open({ url: `${site}/?gclid=1` })).number);
    expect(await callsBy(shop, { groupBy: 'day' })).toEqual({ [day()]: 1 });
    expect(await callsBy(shop, { groupBy: 'hour' })).toEqual({ '02': 1 });
    const tz = 'America/New_York';
    expect(await callsBy(shop, { groupBy: 'day', tz })).toEqual({ [day(1)]: 1 });
    expect(Object.keys(await callsBy(shop, { groupBy: 'hour', tz }))[0]).toMatch(/^2[12]$/);
    expect(await callsBy(shop, { groupBy: 'day', tz, endDate: day(1) })).toEqual({ [day(1)]: 1 });
  });

  it('shows each source’s part over the ways of all visitors', async () => {
    const { shop } = await aShop();
    const { journeys } = (await report(shop, { journeys: true })).data;
    expect(journeys?.map(({ key }) => key)).toEqual(['google_ads', 'bing_organic']);
    for (const model of ['markov', 'shapley'] as const)
      expect(journeys?.reduce((sum, row) => sum + row[model], 0)).toBe(10_000);
    // One call by the ad alone, one by both: three quarters.
    expect(journeys?.[0]).toMatchObject({ label: 'Google Ads', shapley: 7500 });
    // A source is named also where no call came from it.
    await shop.open({ url: `${site}/?msclkid=1` });
    const more = (await report(shop, { journeys: true })).data.journeys;
    expect(more?.map(({ label }) => label)).toEqual([
      'Google Ads',
      'Bing',
      'Microsoft Advertising',
    ]);
    expect((await report(await trackedSite(app, 1), { journeys: true })).data.journeys).toEqual([]);
  });
});

describe('the file of a report', () => {
  /** What tools/verify-report.mjs says; throws if it finds a fault. */
  const verify = (csv: string, checksum: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.csv');
    writeFileSync(file, csv);
    return execFileSync('node', ['tools/verify-report.mjs', file, checksum], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  };

  it('has the checksum of the answer, as a script says that shares no code', async () => {
    const { shop } = await aShop();
    await shop.open({
      url: `${site}/?gclid=1&utm_campaign=${encodeURIComponent('=HYPERLINK("x"),a')}`,
    });
    for (const groupBy of ['campaign', 'day', 'landing'] as const) {
      const { meta } = await report(shop, { groupBy, attributionModel: 'time_decay' });
      expect(verify(meta.csv, meta.checksum)).toContain('agree');
      expect(() => verify(meta.csv.replace(',1,', ',2,'), meta.checksum)).toThrow();
    }
    const { meta } = await report(shop, { groupBy: 'campaign' });
    expect(meta.csv).toContain(`"'=HYPERLINK(""x""),a"`);
  });

  it('is kept with a named run, under a signed address', async () => {
    const { shop } = await aShop();
    const { meta } = await report(shop, { groupBy: 'medium' });
    const saved = await save(shop.owner, 'Spring', { groupBy: 'medium' });
    expect(saved.status).toBe(201);
    const { data } = saved.body;
    const list = await app.as(shop.owner).request(contract.listSourceReports, {
      query: { company_id: shop.owner.companyId },
    });
    expect(list.body).toMatchObject({ data: [data] });
    expect(data).toMatchObject({
      name: 'Spring',
      checksum: meta.checksum,
      params: { groupBy: 'medium', startDate: day(60) },
      created_by: shop.owner.id,
    });
    const fetched = (url: string) => app.server.inject({ url });
    const file = await fetched(data.file_url ?? '');
    expect(file).toMatchObject({ statusCode: 200, body: meta.csv });
    const forged = (data.file_url ?? '').replace(/signature=..../, 'signature=0000');
    expect((await fetched(forged)).statusCode).not.toBe(200);
  });
});

describe('who sees what', () => {
  it('another company’s pools and numbers are refused, and its calls aren’t counted', async () => {
    const [{ shop }, theirs] = [await aShop(), await trackedSite(app, 1)];
    for (const filters of [
      { poolIds: [shop.pool.id] },
      { numberIds: [shop.defaultNumberId] },
      { poolIds: [theirs.pool.id, 999_999] },
    ])
      expect((await ask(theirs.owner, { filters })).status).toBe(422);
    const elsewhere = await app.as(theirs.owner).inject({
      method: 'POST',
      url: '/api/dni/reports/calls',
      payload: { company_id: shop.owner.companyId, startDate: day(60), endDate: day() },
    });
    expect(elsewhere.status).toBe(404);
    expect((await report(theirs)).data).toMatchObject({ rows: [], totals: { calls: 0 } });
  });

  it('people limited to numbers count only those, and see only runs of those', async () => {
    const { shop, first } = await aShop();
    const numberOf = async (id: number) =>
      (await app.as(shop.owner).request(calls.getCall, { params: { id } })).body.data.number.id;
    const one = await numberOf(first.id);
    const other = await trackedNumber(shop, one);
    await save(shop.owner, 'All');
    const limited = await app.createPerson(shop.owner.companyId, 'user', [other]);
    expect((await ask(limited)).body).toMatchObject({ data: { totals: { calls: 0 } } });
    expect((await ask(limited, { filters: { numberIds: [one] } })).status).toBe(422);
    expect((await save(limited, 'Mine')).status).toBe(201);
    const seen = await app.as(limited).request(contract.listSourceReports, {
      query: { company_id: shop.owner.companyId },
    });
    expect(seen.body.data.map(({ name }) => name)).toEqual(['Mine']);
    const mine = await app.createPerson(shop.owner.companyId, 'user', [one]);
    expect((await ask(mine)).body.data.totals.calls).toBeGreaterThan(0);
  });

  it('a period that is too long, or ends before it starts, is refused', async () => {
    const { owner } = await trackedSite(app, 1);
    expect((await ask(owner, { startDate: '2020-01-01' })).status).toBe(422);
    expect((await ask(owner, { startDate: day(), endDate: day(1) })).status).toBe(422);
    expect((await ask(owner, { tz: 'Mars/Base' })).status).toBe(422);
  });
});

/** A number of the pool that isn't this one. */
const trackedNumber = async ({ pool }: Site, not: number) =>
  pool.numbers.find(({ id }) => id !== not)!.id;
