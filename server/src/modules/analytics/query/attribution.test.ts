import { expect, test } from 'vitest';
import { callAnalytics as contract, calls, sourceReports } from '#contract';
import { attributionModels } from '#contract/tracking/pool-rules';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { site, trackedSite } from '../../../../test/support/tracking-site.ts';

const { world: app, aCall } = await createCallHarness();
async function ring(number: string, from: string) {
  const call = aCall(number, from);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  return call.id();
}
const day = () => app.clock.value.toISOString().slice(0, 10);

/** A visitor who came from an ad and a week later from a search, and called both times. */
async function aShop() {
  const shop = await trackedSite(app, 3);
  const start = day();
  const ad = await shop.open({ url: `${site}/implants?gclid=Ea1&utm_campaign=spring` });
  await ring(ad.number, '+12125558101');
  app.clock.advance(7 * 86_400);
  const search = await shop.open({
    visitorId: ad.visitorId,
    url: `${site}/prices`,
    referrer: 'https://www.bing.com/',
  });
  const second = await ring(search.number, '+12125558101');
  await app.as(shop.owner).request(calls.updateCall, {
    params: { id: second },
    body: { qualified: true, value_cents: 10_001 },
  });
  return { ...shop, start };
}

test.each(attributionModels)(
  'calls are shared among sources by %s as in reports of sources',
  async (model) => {
    const shop = await aShop();
    const company_id = shop.owner.companyId;
    const { body: report } = await app.as(shop.owner).request(sourceReports.reportSources, {
      body: {
        company_id,
        startDate: shop.start,
        endDate: day(),
        groupBy: 'source',
        attributionModel: model,
      },
    });
    const query = { company_id, start: shop.start, end: day(), attribution_model: model };
    const { body } = await app
      .as(shop.owner)
      .request(contract.analyzeCalls, { query: { ...query, group: 'source' as const } });
    const wanted = report.data.rows.flatMap(({ key, calls: n, qualified, missed, value_cents }) =>
      n > 0 ? [[key, n, qualified, missed, value_cents]] : [],
    );
    const shown = body.data.map(({ key, figures: f }) => [
      ...[key, f.calls, f.qualified, f.missed, f.value],
    ]);
    expect(shown.toSorted()).toEqual(wanted.toSorted());
    expect(body.totals).toMatchObject({ calls: 2, value: 10_001 });
    const { body: ads } = await app.as(shop.owner).request(contract.analyzeCalls, {
      query: { ...query, group: 'none' as const, sources: ['google_ads'] },
    });
    expect(ads.totals.calls).toBe(wanted.find(([key]) => key === 'google_ads')?.[1] ?? 0);
  },
);
