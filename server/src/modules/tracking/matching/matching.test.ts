import { describe, expect, it } from 'vitest';
import { calls, conversations, tracking } from '#contract';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { flushHits, send, site, trackedSite } from '../../../../test/support/tracking-site.ts';

const { world: app, aCall, saidOf, ringing, tellOf, commands } = await createCallHarness();
const aSite = (size: number, settings: Parameters<typeof trackedSite>[2] = {}) =>
  trackedSite(app, size, settings);
type Site = Awaited<ReturnType<typeof aSite>>;
let callers = 0;
const aCaller = () => `+1212555${String(4000 + callers++)}`;
const minutes = (n: number) => app.clock.advance(n * 60);

/** A call, and what is known of where it came from. */
async function ring({ owner }: Site, number: string, from = aCaller()) {
  const call = aCall(number, from);
  await call.tell(call.inbound);
  const id = await call.id();
  const answer = await app.as(owner).request(calls.callAttribution, { params: { id } });
  expect(answer.status).toBe(200);
  return { id, from, call, found: answer.body.data };
}
const recordOf = async ({ owner }: Site, id: number) =>
  (await app.as(owner).request(calls.getCall, { params: { id } })).body.data;
const ad = `${site}/implants?gclid=Ea1&utm_campaign=implants&utm_term=dental+implants`;

describe('a call to the number of a pool', () => {
  it('while one visitor sees it is that visitor’s, for certain', async () => {
    const shop = await aSite(2);
    const visit = await shop.open({ url: ad, referrer: 'https://www.google.com/' });
    for (const url of [ad, `${site}/team`])
      await send(app, tracking.addPageView, { sessionId: visit.sessionId, url });
    await flushHits(app);
    minutes(3);
    const { id, found } = await ring(shop, visit.number);
    expect(found).toMatchObject({
      matchLabel: 'exact',
      confidence: 100,
      model: 'first_touch',
      visitorId: visit.visitorId,
      source: { key: 'google_ads', label: 'Google Ads' },
      medium: 'cpc',
      campaign: 'implants',
      keyword: 'dental implants',
      landingUrl: ad,
      referrer: 'https://www.google.com/',
      clickIds: { gclid: 'Ea1' },
      device: 'desktop',
      ruleId: 'click.gclid',
      pool: { id: shop.pool.id, name: 'Site' },
      touches: [{ source: { key: 'google_ads' }, pages: 2, isMatched: true }],
    });
    expect(found?.evidence.map(({ fact }) => fact)).toEqual([
      'number_shown',
      'page_last_open',
      'source_rule',
    ]);
    expect(await recordOf(shop, id)).toMatchObject({
      dni_pool_id: shop.pool.id,
      source: {
        key: 'google_ads',
        label: 'Google Ads',
        campaign: 'implants',
        keyword: 'dental implants',
        // What else the address says may be about the person.
        landingUrl: `${site}/implants`,
        confidence: 100,
        matchLabel: 'exact',
      },
    });
    expect(await saidOf(id, 'call.started')).toMatchObject([
      { data: { source: { key: 'google_ads' } } },
    ]);
  });

  it('is told to who answers, before they are connected, where the pool wants it', async () => {
    const desk = '+12125550177';
    const shop = await aSite(1, { whisperSource: true, forwardNumber: desk });
    await app.drainJobs();
    const visit = await shop.open({ url: ad });
    const heard = async () => {
      const { call } = await ring(shop, visit.number);
      const leg = ringing(call, desk);
      await tellOf(call.leg, leg, { type: 'legAnswered' });
      return commands(call, 'whisper').map((c) => ({ isTheirs: c.leg === leg, ...c }));
    };
    expect(await heard()).toMatchObject([
      { isTheirs: true, prompts: [{ kind: 'say', text: 'Source: Google Ads.' }] },
    ]);
    await shop.change({ whisperSource: false });
    expect(await heard()).toEqual([]);
  });

  it('after the page was closed is still that visitor’s, less surely with time, up to the window', async () => {
    const shop = await aSite(1, { attributionWindowHours: 10, quarantineMinutes: 60 });
    const visit = await shop.open({ url: ad });
    // The lease ends thirty minutes after the page was last heard of; then the number rests.
    minutes(31);
    expect((await ring(shop, visit.number)).found).toMatchObject({
      matchLabel: 'recent',
      confidence: 100,
      source: { key: 'google_ads' },
    });
    minutes(5 * 60 - 1);
    expect((await ring(shop, visit.number)).found).toMatchObject({
      matchLabel: 'recent',
      confidence: 75,
    });
    minutes(5 * 60 + 1);
    expect((await ring(shop, visit.number)).found).toMatchObject({
      matchLabel: 'number_level',
      confidence: 0,
      source: { key: 'unknown' },
      visitorId: null,
      touches: [],
    });
  });

  it('that several visitors saw lists them all, the likeliest first', async () => {
    const shop = await aSite(1, { exhaustedPolicy: 'share' });
    const first = await shop.open({ url: ad });
    minutes(9);
    const second = await shop.open({ url: `${site}/`, referrer: 'https://www.bing.com/' });
    expect(second.number).toBe(first.number);
    const { found } = await ring(shop, first.number);
    expect(found).toMatchObject({
      matchLabel: 'ambiguous',
      source: { key: 'bing_organic' },
      visitorId: second.visitorId,
      candidates: [
        { source: { key: 'bing_organic' }, share: 91 },
        { source: { key: 'google_ads' }, share: 9 },
      ],
      confidence: 91,
    });
    expect(found?.evidence).toContainEqual(
      expect.objectContaining({ fact: 'number_shared', value: '2' }),
    );
  });

  it('of a caller who is known from an earlier call finds their last visit', async () => {
    const shop = await aSite(2, { attributionWindowHours: 0, stickyDays: 0 });
    const visit = await shop.open({ url: ad });
    const { from } = await ring(shop, visit.number);
    minutes(3 * 24 * 60);
    const back = await shop.open({
      visitorId: visit.visitorId,
      url: `${site}/prices`,
      referrer: 'https://www.bing.com/',
    });
    minutes(3 * 24 * 60);
    // The other number of the pool, which no one has seen lately.
    const other = shop.pool.numbers.find(({ number }) => number !== back.number)!.number;
    expect((await ring(shop, other, from)).found).toMatchObject({
      matchLabel: 'returning',
      confidence: 80,
      visitorId: visit.visitorId,
      source: { key: 'bing_organic' },
      touches: [
        { source: { key: 'google_ads' }, isMatched: false },
        { source: { key: 'bing_organic' }, isMatched: true },
      ],
    });
    expect((await ring(shop, other)).found).toMatchObject({ matchLabel: 'number_level' });
    // The pool looks back 90 days.
    minutes(91 * 24 * 60);
    expect((await ring(shop, other, from)).found).toMatchObject({ matchLabel: 'number_level' });
  });

  it('that was deleted with its pool is matched for the window', async () => {
    const shop = await aSite(1);
    const visit = await shop.open({ url: ad });
    await app.as(shop.owner).request(tracking.deletePool, {
      params: { companyId: shop.owner.companyId, poolId: shop.pool.id },
      query: { confirm: true },
    });
    minutes(60);
    expect((await ring(shop, visit.number)).found).toMatchObject({
      matchLabel: 'recent',
      confidence: 98,
      source: { key: 'google_ads' },
    });
    minutes(24 * 60);
    expect((await ring(shop, visit.number)).found).toBeNull();
  });
});

it('a number for sources says the source itself, where only one sees it', async () => {
  const shop = await aSite(3, { mode: 'source', sourceIds: [1, 4, 23, 24] });
  const [ads, profile] = shop.pool.numbers.map(({ number }) => number);
  expect((await ring(shop, profile!)).found).toMatchObject({
    matchLabel: 'number_level',
    source: { key: 'google_business_profile' },
    evidence: [{ fact: 'fixed_source', value: 'Google Business Profile' }],
  });
  // The first number is also that of the fourth source.
  expect((await ring(shop, ads!)).found).toMatchObject({
    source: { key: 'unknown' },
    evidence: [{ value: 'Google Ads' }, { value: 'Text messages' }],
  });
});

it('a number that is in no pool says nothing', async () => {
  const shop = await aSite(1);
  await shop.open({ url: ad });
  const { number } = (
    await app.services.db.pool.query('select number from number where id = $1', [
      shop.defaultNumberId,
    ])
  ).rows[0];
  const { id, found } = await ring(shop, number);
  expect(found).toBeNull();
  expect(await recordOf(shop, id)).toMatchObject({ source: null, dni_pool_id: null });
  expect(await saidOf(id, 'tracking.matched')).toEqual([]);
});

it('a visitor who isn’t recognized is matched by the number alone, and never known again', async () => {
  const shop = await aSite(2, { consentMode: 'anonymous', attributionWindowHours: 0 });
  const visit = await shop.open({ url: ad });
  const { from, found } = await ring(shop, visit.number);
  expect(found).toMatchObject({
    matchLabel: 'exact',
    visitorId: null,
    touches: [{ isMatched: true }],
  });
  minutes(60);
  expect((await ring(shop, visit.number, from)).found).toMatchObject({
    matchLabel: 'number_level',
  });
});

it('another company never sees whose call it was, nor profits from its callers', async () => {
  const [mine, theirs] = [await aSite(1), await aSite(1)];
  const visit = await mine.open({ url: ad });
  const { id, from } = await ring(mine, visit.number);
  const refused = await app.as(theirs.owner).request(calls.callAttribution, { params: { id } });
  expect(refused.status).toBe(404);
  const there = await ring(theirs, theirs.pool.numbers[0]!.number, from);
  expect(there.found).toMatchObject({ matchLabel: 'number_level', visitorId: null });
});

it('the conversation of a call shows its source, campaign, keyword and page, also after it ended', async () => {
  const shop = await aSite(1);
  const visit = await shop.open({ url: ad });
  const { call, id, from } = await ring(shop, visit.number);
  const said = {
    callId: id,
    source: 'Google Ads',
    sourceKey: 'google_ads',
    campaign: 'implants',
    keyword: 'dental implants',
    landingUrl: `${site}/implants`,
  };
  const items = async () =>
    (
      await app.as(shop.owner).request(conversations.listActivity, {
        body: { calls: true, companyId: shop.owner.companyId },
      })
    ).body.data;
  await app.drainJobs();
  expect(await items()).toMatchObject([{ recipient: from, details: said }]);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  expect(await items()).toMatchObject([{ details: said }]);
});
