import { describe, expect, test } from 'vitest';
import {
  calls,
  contacts,
  conversations,
  endpoints,
  exporting,
  fax,
  groups,
  importing,
  numbers,
  type AnyEndpoint,
} from '#contract';
import { onlyReads } from '#contract/unknown-fields';
import { createFixtures, permittedPerson } from './support/fixtures.ts';
import { sendRequest, requestOf, writtenCompanies } from './support/cross-tenant-probes.ts';
import type { EndpointRequest } from './support/endpoint-requests.ts';

/**
 * Nothing in a request is silently ignored: what writes, exports or acts in bulk refuses an unknown
 * field; what only reads names it in `meta.ignored`.
 */
const fixtures = await createFixtures();
const { app, a, snapshot } = fixtures;
const { owner } = a.people;

type Errors = { errors?: Record<string, string[]>; meta?: { ignored?: string[] } };
const errorsOf = (body: unknown) => Object.keys((body as Errors | null)?.errors ?? {});

/** The request with an unknown field at the top of its body and in each object of it. */
function withUnknownField(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withUnknownField);
  if (typeof body !== 'object' || body === null) return body;
  return {
    ...Object.fromEntries(
      Object.entries(body).map(([key, value]) => [key, withUnknownField(value)]),
    ),
    serach: 'x',
  };
}

// What only the platform's own staff may do has its tests in settings/support.
const ofCompanies = endpoints.filter((e) => e.permission !== 'platform.operate');
describe.each(ofCompanies.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
  const asOwner = async (): Promise<EndpointRequest> => ({
    ...(await requestOf(fixtures, e, permittedPerson(a, e))),
  });

  test('refuses to include what its contract doesn’t name (A1)', async () => {
    const asked = await asOwner();
    const mark = await snapshot.mark();
    const wrong = await sendRequest(app, e, permittedPerson(a, e), {
      ...asked,
      query: { ...asked.query, include: 'zzz' },
    });
    expect([wrong.status, errorsOf(wrong.body)], JSON.stringify(wrong.body)).toEqual([
      422,
      expect.arrayContaining(['include']),
    ]);
    if (onlyReads(e) && e.method === 'POST')
      expect(
        errorsOf(
          (
            await sendRequest(app, e, permittedPerson(a, e), {
              ...asked,
              body: { ...(asked.body as object), include: ['zzz'] },
            })
          ).body,
        ),
      ).toContain('include');
    expect(await writtenCompanies(fixtures, mark)).toEqual([]);
    await snapshot.restore();
  });

  if (onlyReads(e)) {
    test('names an unknown filter, and refuses it when strict', async () => {
      const asked = await asOwner();
      const strict = await sendRequest(app, e, permittedPerson(a, e), {
        ...asked,
        query: { ...asked.query, serach: 'x', strict: 1 },
      });
      expect([strict.status, errorsOf(strict.body)]).toEqual([
        422,
        expect.arrayContaining(['serach']),
      ]);
      const answer = await sendRequest(app, e, permittedPerson(a, e), {
        ...asked,
        query: { ...asked.query, serach: 'x' },
      });
      const answersData = answer.status < 300 && answer.status !== 204 && !e.binary;
      if (answersData)
        expect(
          (answer.body as Errors).meta?.ignored,
          JSON.stringify(answer.body)?.slice(0, 200),
        ).toContain('serach');
      await snapshot.restore();
    });
    if (!e.paged) return;
    test('refuses an unknown sort order, or says that it has only one', async () => {
      const asked = await asOwner();
      const said =
        e.method === 'POST'
          ? { body: { ...(asked.body as object), sort: 'zzz' } }
          : { query: { ...asked.query, sort: 'zzz' } };
      const { status, body } = await sendRequest(app, e, permittedPerson(a, e), {
        ...asked,
        ...said,
      });
      expect(status === 200 ? (body as Errors).meta?.ignored : errorsOf(body)).toContain('sort');
      await snapshot.restore();
    });
    return;
  }

  test('refuses unknown fields in query and body, and does nothing', async () => {
    const asked = await asOwner();
    const mark = await snapshot.mark();
    const byQuery = await sendRequest(app, e, permittedPerson(a, e), {
      ...asked,
      query: { ...asked.query, serach: 'x' },
    });
    expect([byQuery.status, errorsOf(byQuery.body)], JSON.stringify(byQuery.body)).toEqual([
      422,
      expect.arrayContaining(['serach']),
    ]);
    if (asked.body !== undefined && !asked.form) {
      const byBody = await sendRequest(app, e, permittedPerson(a, e), {
        ...asked,
        body: withUnknownField(asked.body),
      });
      expect([byBody.status, errorsOf(byBody.body)], JSON.stringify(byBody.body)).toEqual([
        422,
        expect.arrayContaining(['serach']),
      ]);
    }
    expect(await writtenCompanies(fixtures, mark)).toEqual([]);
    await snapshot.restore();
  });
});

const requestFor = (e: AnyEndpoint, body: object, params: object = {}) =>
  app.as(owner).request(e, { params: { companyId: a.id, ...params }, body } as never);

test('a misspelled filter of a bulk call is refused with the name that was meant', async () => {
  const before = (await requestFor(contacts.countContacts, {})).body as { data: { total: number } };
  const all = { contacts: contacts.bulkDestroyContacts, exported: exporting.exportCalls };
  const misspelt = await requestFor(all.contacts, { all: true, filters: { groupID: 5 } });
  expect([misspelt.status, (misspelt.body as Errors).errors]).toEqual([
    422,
    { 'filters.groupID': ['There is no field named groupID. Did you mean groupId?'] },
  ]);
  expect(
    (await requestFor(all.contacts, { all: true, filters: { eav: { nowhere: '3' } } })).body,
  ).toMatchObject({ errors: { 'eav.nowhere': [expect.stringContaining('nowhere')] } });
  expect(
    (await requestFor(all.exported, { number_ids: [1], filters: [], foo: 1 })).body,
  ).toMatchObject({
    status: 422,
    errors: { number_ids: expect.anything(), filters: expect.anything(), foo: expect.anything() },
  });
  const counted = await requestFor(contacts.countContacts, {
    filters: { bogus: 1, eav: { nowhere: '3' } },
  });
  expect(counted.body).toMatchObject({
    data: before.data,
    meta: { ignored: ['filters.bogus', 'eav.nowhere'] },
  });
  await snapshot.restore();
});

test('an object can be sent back as it was read; read-only fields can’t be changed with it', async () => {
  const params = { contactId: a.ids.contact };
  const { data } = (await app.as(owner).request(contacts.getContact, { params } as never)).body;
  const back = await requestFor(
    contacts.updateContact,
    {
      ...data,
      name: 'Dana R.',
      eavAttributeValues: undefined,
      groups: undefined,
      labels: undefined,
    },
    params,
  );
  expect(
    [back.status, (back.body as { data?: { name: string } }).data?.name],
    JSON.stringify(back.body),
  ).toEqual([200, 'Dana R.']);
  expect(
    (
      await requestFor(
        contacts.updateContact,
        { ...data, invalid: !data.invalid, groups: undefined, labels: undefined },
        params,
      )
    ).body,
  ).toMatchObject({ status: 422, errors: { invalid: expect.anything() } });
  await snapshot.restore();
});

describe('POST /activity', () => {
  const rows = async (body: object) =>
    (await requestFor(conversations.listActivity, { companyId: a.id, perPage: 100, ...body }))
      .body as {
      data: { id: number; kind: string; itemId: number }[];
      meta: { ignored?: string[] };
    };
  test('takes type flags in the singular and the plural, and as `types`', async () => {
    for (const said of [
      { calls: true },
      { call: 1 },
      { types: ['calls'] },
      { types: { calls: true } },
    ]) {
      const found = await rows(said);
      expect([...new Set(found.data.map((row) => row.kind))], JSON.stringify(said)).toEqual([
        'call',
      ]);
      expect(found.meta.ignored).toBeUndefined();
    }
    expect(
      [...new Set((await rows({ messages: 1, faxes: true })).data.map((row) => row.kind))].sort(),
    ).toEqual(['fax', 'message']);
    expect((await rows({ bogus: 1 })).meta.ignored).toEqual(['bogus']);
    expect(
      (await requestFor(conversations.listActivity, { companyId: a.id, strict: 1, bogus: 1 }))
        .status,
    ).toBe(422);
  });

  test('gives each row the ID that its detail call accepts', async () => {
    const { data } = await rows({});
    const call = data.find((row) => row.kind === 'call')!,
      sheet = data.find((row) => row.kind === 'fax')!;
    expect((await app.as(owner).request(calls.getCall, { params: { id: call.id } })).status).toBe(
      200,
    );
    expect((await app.as(owner).request(fax.getFax, { params: { id: sheet.id } })).status).toBe(
      200,
    );
    for (const row of data) expect(row.itemId).toBeGreaterThan(0);
  });
});

test('what a contract names can be included, as a list or separated by commas', async () => {
  const wanted = ['labels,groups', 'groups, eavAttributeValues', ''];
  for (const include of wanted) {
    const found = await app.as(owner).inject({
      method: 'GET',
      url: `/api/contacts?companyId=${a.id}&include=${encodeURIComponent(include)}`,
    });
    expect([found.status, (found.body as Errors).meta?.ignored], include).toEqual([200, undefined]);
  }
  const refused = await app
    .as(owner)
    .inject({ method: 'GET', url: `/api/contacts?companyId=${a.id}&include=labels,foo` });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { include: ['Only labels, groups and eavAttributeValues can be included.'] } },
  });
});

describe('an unknown custom field', () => {
  const eav = { nowhere: '3' };
  const list = (path: string, more: object = {}) =>
    app.as(owner).inject({
      method: 'GET',
      url: `/api${path}?${new URLSearchParams({ companyId: String(a.id), eav: JSON.stringify(eav), ...more })}`,
    });
  test('is named by what only reads, and refused when strict', async () => {
    for (const path of ['/contacts', '/numbers', '/numbers/datatable']) {
      expect((await list(path)).body, path).toMatchObject({ meta: { ignored: ['eav.nowhere'] } });
      expect((await list(path, { strict: '1' })).body, path).toMatchObject({
        status: 422,
        errors: { 'eav.nowhere': expect.anything() },
      });
    }
    expect(
      (await requestFor(conversations.listActivity, { companyId: a.id, eav })).body,
    ).toMatchObject({
      meta: { ignored: ['eav.nowhere'] },
    });
  });
  test('is refused by what exports or acts in bulk', async () => {
    const strict = { status: 422, errors: { 'eav.nowhere': [expect.stringContaining('nowhere')] } };
    const params = { labelId: a.ids.label, groupId: a.ids.group };
    for (const e of [
      contacts.bulkDestroyContacts,
      importing.exportContacts,
      groups.bulkAddLabel,
      groups.bulkRemoveLabel,
    ])
      expect(
        (await requestFor(e, { all: true, filters: { eav } }, params)).body,
        e.name,
      ).toMatchObject(strict);
    expect(
      (await requestFor(groups.addAllToGroup, { filters: { eav } }, params)).body,
    ).toMatchObject(strict);
    for (const [e, more] of [
      [numbers.updateNumbersInBulk, { patch: { label: 'x' } }],
      [numbers.removeNumbersInBulk, {}],
    ] as const)
      expect(
        (await requestFor(e, { companyId: a.id, all: true, filters: { eav }, ...more })).body,
        e.name,
      ).toMatchObject(strict);
    expect((await list('/numbers/datatable/export')).body).toMatchObject(strict);
  });
});
