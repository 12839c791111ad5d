import { expect, it } from 'vitest';
import { calls, features, settings, tracking } from '#contract';
import { attributionModels } from '#contract/tracking/pool-rules';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { site, trackedSite } from '../../../../test/support/tracking-site.ts';

const { world: app, aCall } = await createCallHarness();
const aSite = (settings: Parameters<typeof trackedSite>[2] = {}) => trackedSite(app, 2, settings);
type Site = Awaited<ReturnType<typeof aSite>>;
const days = (n: number) => app.clock.advance(n * 86_400);
let callers = 0;

async function ring(number: string, from = `+1212555${String(7000 + callers++)}`) {
  const call = aCall(number, from);
  await call.tell(call.inbound);
  return { id: await call.id(), from };
}
const attribution = async ({ owner }: Site, id: number) => {
  const answer = await app.as(owner).request(calls.callAttribution, { params: { id } });
  if (!answer.body.data) throw new Error('no attribution');
  return answer.body.data;
};
/** Basis points by the key of the visit's source, for a model. */
async function creditOf(shop: Site, id: number, model: tracking.AttributionModel) {
  const { credits, touches } = await attribution(shop, id);
  const keys = new Map(touches.map(({ sessionId, source }) => [sessionId, source.key]));
  const found = credits.find((one) => one.model === model);
  return {
    fallback: found?.fallback,
    ...Object.fromEntries(
      (found?.credits ?? []).map((one) => [keys.get(one.sessionId), one.basisPoints]),
    ),
  };
}
const change = ({ owner, pool }: Site, body: { attributionModel?: tracking.AttributionModel }) =>
  app.as(owner).request(tracking.updatePool, {
    params: { companyId: owner.companyId, poolId: pool.id },
    body,
  });

/** An ad three weeks before, a search with a first call two weeks before, a referral and a call. */
async function threeVisits(settings: Parameters<typeof trackedSite>[2] = {}) {
  const shop = await aSite({ lookbackDays: 30, ...settings });
  const { visitorId } = await shop.open({ url: `${site}/implants?gclid=Ea1` });
  const again = (referrer: string) => shop.open({ visitorId, url: `${site}/`, referrer });
  days(7);
  const first = await ring((await again('https://www.bing.com/')).number);
  days(14);
  const { number } = await again('https://blog.example/teeth');
  return { shop, first, last: await ring(number, first.from) };
}

it('a call says what each model gives each visit before it', async () => {
  const { shop, last } = await threeVisits();
  const found = await attribution(shop, last.id);
  expect(found.credits.map(({ model }) => model)).toEqual([...attributionModels]);
  for (const { credits } of found.credits)
    expect(credits.reduce((sum, { basisPoints }) => sum + basisPoints, 0)).toBe(10_000);
  const credit = (model: tracking.AttributionModel) => creditOf(shop, last.id, model);
  expect(await credit('first_touch')).toEqual({ fallback: null, google_ads: 10_000 });
  expect(await credit('last_touch')).toEqual({ fallback: null, referral: 10_000 });
  expect(await credit('lead_creation')).toEqual({ fallback: null, bing_organic: 10_000 });
  expect(await credit('first_and_lead')).toEqual({
    fallback: null,
    google_ads: 5000,
    bing_organic: 5000,
  });
  expect(await credit('linear')).toEqual({
    fallback: null,
    google_ads: 3333,
    bing_organic: 3333,
    referral: 3334,
  });
  expect(await credit('w_shaped')).toMatchObject({
    fallback: 'qualified_unknown',
    google_ads: 4000,
    bing_organic: 2000,
    referral: 4000,
  });
});

it('a call that is qualified later moves the credit of W-shaped', async () => {
  const { shop, first, last } = await threeVisits();
  await app.as(shop.owner).request(calls.updateCall, {
    params: { id: first.id },
    body: { qualified: true },
  });
  expect(await creditOf(shop, last.id, 'w_shaped')).toEqual({
    fallback: null,
    google_ads: 3000,
    bing_organic: 6000,
    referral: 1000,
  });
  // The call before it knows nothing of what came later.
  expect(await creditOf(shop, first.id, 'lead_creation')).toEqual({
    fallback: null,
    bing_organic: 10_000,
  });
});

it('the pool’s model acts at once, and changes nothing that is stored', async () => {
  const { shop, last } = await threeVisits();
  const before = await attribution(shop, last.id);
  expect(before).toMatchObject({ model: 'first_touch', source: { key: 'referral' } });
  await change(shop, { attributionModel: 'time_decay' });
  expect(await attribution(shop, last.id)).toEqual({ ...before, model: 'time_decay' });
  const stored = await app.services.db.pool.query(
    'select model from tracking_match where subject_id = $1',
    [last.id],
  );
  expect(stored.rows).toEqual([{ model: 'first_touch' }]);
});

it('visits before the days that the pool looks back get no credit', async () => {
  const { shop, last } = await threeVisits({ lookbackDays: 15 });
  expect(await creditOf(shop, last.id, 'linear')).toEqual({
    fallback: null,
    bing_organic: 5000,
    referral: 5000,
  });
});

it('a visitor who isn’t recognized has one visit, which gets all', async () => {
  const shop = await aSite({ consentMode: 'anonymous' });
  const { number } = await shop.open({ url: `${site}/?gclid=Ea1` });
  const { id } = await ring(number);
  for (const model of attributionModels)
    expect(await creditOf(shop, id, model)).toMatchObject({ google_ads: 10_000 });
});

it('a call without a visit has no credits', async () => {
  const shop = await aSite();
  const { id } = await ring(shop.pool.numbers[0]!.number);
  expect((await attribution(shop, id)).credits).toEqual([]);
});

it('credits one visit only while multi-touch attribution is off', async () => {
  const { shop, last } = await threeVisits({ attributionModel: 'linear' });
  const models = async () => (await attribution(shop, last.id)).credits.map(({ model }) => model);
  expect(await attribution(shop, last.id)).toMatchObject({ model: 'linear' });
  const turn = (enabled: boolean) =>
    app.as(shop.owner).request(features.setCompanyFeature, {
      params: { companyId: shop.owner.companyId, featureName: 'multi-touch-attribution' },
      body: { enabled },
    });
  await turn(false);
  expect(await attribution(shop, last.id)).toMatchObject({ model: 'first_touch' });
  expect(await models()).toEqual(['first_touch', 'last_touch', 'last_non_direct', 'lead_creation']);
  await turn(true);
  expect(await models()).toEqual([...attributionModels]);
});

it('looks back as far as the company says where no pool decides', async () => {
  const { shop, last } = await threeVisits();
  await app.services.db.systemTransaction((tx) =>
    tx
      .updateTable('tracking_match')
      .set({ pool_id: null })
      .where('subject_id', '=', last.id)
      .execute(),
  );
  expect((await attribution(shop, last.id)).touches).toHaveLength(3);
  const saved = await app.as(shop.owner).request(settings.updateGeneralSettings, {
    query: { company_id: shop.owner.companyId },
    body: { lookback_days: 15 },
  });
  expect(saved.status).toBe(200);
  expect((await attribution(shop, last.id)).touches).toHaveLength(2);
});
