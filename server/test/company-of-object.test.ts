import { expect, test } from 'vitest';
import { calls, endpoints, exporting, fields, type AnyEndpoint } from '#contract';
import { aFixtureWorld } from './fixtures.ts';
import { ask, inputOf } from './foreign.ts';
import type { Asked } from './requests.ts';

/** A1 "Company context": what an id in the path names tells its company, so that nobody has to say it beside the id. */
const fixtures = await aFixtureWorld();
const { world, a, b, snapshot } = fixtures;

/** The buyer's company must be said: the object is the seller's. */
const ofAnother = ['leaseListing', 'makeOffer', 'renewLease', 'reserveListing'];
const namesObject = (e: AnyEndpoint) =>
  e.company === 'given' && /\{(id|\w+Id)\}/.test(e.path) && !ofAnother.includes(e.name);

const without = ({ query, body, ...asked }: Asked): Asked => {
  const { companyId: _, company_id: __, ...rest } = query;
  return {
    ...asked,
    query: rest,
    ...(body === undefined
      ? {}
      : {
          body: Object.fromEntries(
            Object.entries(body as object).filter(
              ([key]) => key !== 'companyId' && key !== 'company_id',
            ),
          ),
        }),
  };
};

test.each(endpoints.filter(namesObject).map((e) => [e.name, e] as const))(
  '%s resolves the company of the object',
  async (_, e) => {
    const asked = await inputOf(fixtures, e, a.people.owner);
    expect((await ask(world, e, b.people.owner, without(asked))).status).toBe(404);
    const plain = await ask(world, e, a.people.owner, without(asked));
    expect(plain.status, JSON.stringify(plain.body)).toBeLessThan(300);
    await snapshot.restore();
  },
);

test('an export is asked after by its batch alone; another company in the question hides it', async () => {
  const params = { batchId: a.ids.exportBatch };
  const progress = (query: Asked['query'] = {}) =>
    ask(world, exporting.exportProgress, a.people.owner, { params, query });
  expect([(await progress()).status, (await progress({ companyId: b.id })).status]).toEqual([
    200, 404,
  ]);
});

test('what an organization gives to several companies of one person asks which is meant', async () => {
  const params = { id: a.ids.organizationField };
  const stats = (who: typeof a.people.owner, query: Asked['query'] = {}) =>
    ask(world, fields.fieldCountStats, who, { params, query });
  expect((await stats(a.people.owner)).status).toBe(200);
  const [both, sister] = [
    await world.person(a.id, 'administrator'),
    await world.company('Alpha Two'),
  ];
  await world.house.db.system(async (tx) => {
    await tx
      .updateTable('company')
      .set({ organization_id: Number(a.ids.organization) })
      .where('id', '=', sister.company.id)
      .execute();
    await tx
      .insertInto('membership')
      .values({ company_id: sister.company.id, user_id: both.id, role: 'administrator' })
      .execute();
  });
  expect((await stats(both)).body).toMatchObject({ code: 'company_required' });
  expect((await stats(both, { companyId: sister.company.id })).status).toBe(200);
});

test('an id in the body that is no number names nothing', async () => {
  for (const number_id of ['0199a8f0-0000-7000-8000-000000000001', 'x'.repeat(36), '12a']) {
    const placed = await ask(world, calls.placeCall, a.people.owner, {
      params: {},
      query: {},
      body: { number_id, to: '+12125550147' },
    });
    expect(placed.status).toBe(404);
  }
});
