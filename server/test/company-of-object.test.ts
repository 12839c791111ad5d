import { expect, test } from 'vitest';
import { calls, endpoints, exporting, fields, type AnyEndpoint } from '#contract';
import { createFixtures } from './support/fixtures.ts';
import { sendRequest, requestOf } from './support/cross-tenant-probes.ts';
import type { EndpointRequest } from './support/endpoint-requests.ts';

/**
 * A1 "Company context": the object that an ID in the path names determines the company, so it isn't
 * required beside the ID.
 */
const fixtures = await createFixtures();
const { app, a, b, snapshot } = fixtures;

/** The buyer's company is required: the object belongs to the seller. */
const crossCompanyEndpoints = ['leaseListing', 'makeOffer', 'renewLease', 'reserveListing'];
/** A data group belongs to an organization: the company says in which one is asked. */
const isOfOrganization = (e: AnyEndpoint) => e.path.startsWith('/data-group/');
const namesObject = (e: AnyEndpoint) =>
  !isOfOrganization(e) &&
  e.company === 'given' &&
  /\{(id|\w+Id)\}/.test(e.path) &&
  !crossCompanyEndpoints.includes(e.name);

const without = ({ query, body, ...asked }: EndpointRequest): EndpointRequest => {
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
    const asked = await requestOf(fixtures, e, a.people.owner);
    expect((await sendRequest(app, e, b.people.owner, without(asked))).status).toBe(404);
    const plain = await sendRequest(app, e, a.people.owner, without(asked));
    expect(plain.status, JSON.stringify(plain.body)).toBeLessThan(300);
    await snapshot.restore();
  },
);

test('an export is found by its batch alone; another company in the request hides it', async () => {
  const params = { batchId: a.ids.exportBatch };
  const progress = (query: EndpointRequest['query'] = {}) =>
    sendRequest(app, exporting.exportProgress, a.people.owner, { params, query });
  expect([(await progress()).status, (await progress({ companyId: b.id })).status]).toEqual([
    200, 404,
  ]);
});

test('what an organization shares with several companies of one person requires the company', async () => {
  const params = { id: a.ids.organizationField };
  const stats = (who: typeof a.people.owner, query: EndpointRequest['query'] = {}) =>
    sendRequest(app, fields.fieldCountStats, who, { params, query });
  expect((await stats(a.people.owner)).status).toBe(200);
  const [both, sister] = [
    await app.createPerson(a.id, 'administrator'),
    await app.createCompany('Alpha Two'),
  ];
  await app.services.db.systemTransaction(async (tx) => {
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

test('an ID in the body that isn’t a number names nothing', async () => {
  for (const number_id of ['0199a8f0-0000-7000-8000-000000000001', 'x'.repeat(36), '12a']) {
    const placed = await sendRequest(app, calls.placeCall, a.people.owner, {
      params: {},
      query: {},
      body: { number_id, to: '+12125550147' },
    });
    expect(placed.status).toBe(404);
  }
});

test('a form that names another company of the person than the object’s is not found', async () => {
  const both = await app.createPerson(a.id, 'administrator');
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('membership')
      .values({ company_id: b.id, user_id: both.id, role: 'administrator' })
      .execute(),
  );
  const rename = (companyId: number) =>
    app.as(both).inject({
      method: 'PUT',
      url: `/api/greetings/${a.ids.greeting}`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: ['name\r\n\r\nClosed', `companyId\r\n\r\n${companyId}`]
        .map((part) => `--x\r\ncontent-disposition: form-data; name=${part}\r\n`)
        .concat('--x--\r\n')
        .join(''),
    });
  expect([(await rename(b.id)).status, (await rename(a.id)).status]).toEqual([404, 200]);
});
