import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { organizations, sourceReports as contract, type BodyIn } from '#contract';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { site, trackedSite } from '../../../../test/support/tracking-site.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

/**
 * Two companies of an organization and one outside, each with a website, two calls from an ad in the
 * first and one from a search in the others.
 */
const { world: app, aCall } = await createCallHarness();
let callers = 0;
async function ring(number: string) {
  const call = aCall(number, `+1212555${String(8000 + callers++)}`);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
}
async function aShop(landings: readonly string[], referrer?: string) {
  const shop = await trackedSite(app, 3);
  for (const landing of landings)
    await ring(
      (await shop.open({ url: `${site}${landing}`, ...(referrer && { referrer }) })).number,
    );
  return shop;
}
const one = await aShop(['/?gclid=Ea1', '/?gclid=Ea2']);
const two = await aShop(['/prices'], 'https://www.bing.com/');
const outside = await aShop(['/prices'], 'https://www.bing.com/');
const made = await app.as(one.owner).request(organizations.createOrganization, {
  body: { name: 'Two shops', companyIds: [one.owner.companyId] },
});
const businessUnitId = made.body.data.id;
await app.services.db.systemTransaction((tx) =>
  tx
    .updateTable('company')
    .set({ organization_id: businessUnitId })
    .where('id', '=', two.owner.companyId)
    .execute(),
);
await app.drainJobs();

const today = app.clock.value.toISOString().slice(0, 10);
const ask = (as: TestPerson, body: Partial<BodyIn<typeof contract.reportSources>> = {}) =>
  app.as(as).request(contract.reportSources, {
    body: {
      ...{ company_id: as.companyId, startDate: today, endDate: today },
      ...{ businessUnitId, groupBy: 'company', ...body },
    },
  });
const save = (as: TestPerson) =>
  app.as(as).request(contract.saveSourceReport, {
    body: {
      ...{ company_id: as.companyId, startDate: today, endDate: today },
      ...{ businessUnitId, groupBy: 'company', name: 'Both' },
    },
  });
const runs = async (as: TestPerson) =>
  (
    await app
      .as(as)
      .request(contract.listSourceReports, { query: { company_id: as.companyId, perPage: 25 } })
  ).body.data.map(({ name }) => name);
const callsIn = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.data.rows.map(({ key, calls, sessions }) => [Number(key), calls, sessions]);

test('an organization’s administrator has both companies together, with the checksum of its file', async () => {
  const both = await ask(one.owner);
  expect(both.status, JSON.stringify(both.body)).toBe(200);
  expect(callsIn(both)).toEqual([
    [one.owner.companyId, 2, 2],
    [two.owner.companyId, 1, 1],
  ]);
  expect(both.body.data.companies.map(({ id }) => id)).toEqual([
    one.owner.companyId,
    two.owner.companyId,
  ]);
  expect(both.body.data.totals).toMatchObject({ calls: 3, sessions: 3 });
  const { csv, checksum } = both.body.meta;
  expect(createHash('sha256').update(csv).digest('hex')).toBe(checksum);
  const bySource = await ask(one.owner, { groupBy: 'source', journeys: true });
  expect(bySource.body.data.rows.map(({ key, calls }) => [key, calls])).toEqual([
    ['google_ads', 2],
    ['bing_organic', 1],
  ]);
  expect(bySource.body.data.journeys?.reduce((sum, { markov }) => sum + markov, 0)).toBe(10_000);
});

test('someone of one company has theirs alone, and an outsider nothing', async () => {
  expect(callsIn(await ask(two.owner))).toEqual([[two.owner.companyId, 1, 1]]);
  expect((await ask(outside.owner)).status).toBe(422);
  expect((await ask(one.owner, { businessUnitId: 999_999 })).status).toBe(422);
});

test('pools and numbers of one company are no filter of several', async () => {
  const { status, body } = await ask(one.owner, { filters: { poolIds: [one.pool.id] } });
  expect([status, body]).toEqual([422, expect.objectContaining({ code: 'invalid' })]);
});

test('a limited person’s part of an organization is that of their numbers', async () => {
  const [seen] = two.pool.numbers;
  const limited = await app.createPerson(two.owner.companyId, 'reporting', [seen!.id]);
  const own = await ask(limited);
  expect(own.body.data.totals.calls).toBeLessThanOrEqual(1);
  expect((await save(limited)).status).toBe(403);
});

test('a saved run is seen by those who see all of its companies', async () => {
  expect((await save(one.owner)).status).toBe(201);
  const reporter = await app.createPerson(one.owner.companyId, 'reporting');
  expect(await runs(one.owner)).toEqual(['Both']);
  expect(await runs(reporter)).toEqual([]);
  const { id } = (
    await app.as(one.owner).request(contract.listSourceReports, {
      query: { company_id: one.owner.companyId, perPage: 25 },
    })
  ).body.data[0]!;
  const administrator = await app.createPerson(one.owner.companyId, 'administrator');
  const remove = (as: TestPerson) =>
    app.as(as).request(contract.deleteSourceReport, { params: { reportId: id } });
  expect((await remove(administrator)).status).toBe(404);
  expect((await remove(one.owner)).status).toBe(204);
});
