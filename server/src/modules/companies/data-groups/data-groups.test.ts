import { describe, expect, test } from 'vitest';
import { conversations, dataGroups as contract, organizations, type BodyIn } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

/** An organization of two companies, and a company beside it. */
async function twoCompaniesAndAStranger() {
  const { company, owner } = await app.createCompany();
  const second = await app.createCompany();
  const stranger = await app.createCompany();
  const made = await app.as(owner).request(organizations.createOrganization, {
    body: { name: `Group ${company.id}`, companyIds: [company.id] },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const organizationId = made.body.data.id;
  await app.services.db.unscoped
    .updateTable('company')
    .set({ organization_id: organizationId })
    .where('id', '=', second.company.id)
    .execute();
  return { company, owner, second, stranger, organizationId };
}
const as = (who: TestPerson) => app.as(who);
const create = (who: TestPerson, body: BodyIn<typeof contract.createDataGroup>) =>
  as(who).request(contract.createDataGroup, {
    body: { company_id: who.companyId, ...body },
  });
const labels = (answer: { body: { data: { entities: { type: string; label: string }[] } } }) =>
  answer.body.data.entities.map(({ type, label }) => `${type} ${label}`);

test('a group holds companies, numbers, pools, users and tags of the whole organization, by name', async () => {
  const { company, owner, second, organizationId } = await twoCompaniesAndAStranger();
  const number = await inbox.number(second.company.id);
  const made = await create(owner, {
    name: '  Northern offices ',
    entities: [
      { type: 'company', id: company.id },
      { type: 'number', id: number.id },
      { type: 'user', id: second.owner.id },
    ],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body.data).toMatchObject({
    name: 'Northern offices',
    description: '',
    organizationId,
  });
  expect(labels(made)).toHaveLength(3);
  const { id } = made.body.data;
  const params = { id };
  const entities = [
    { type: 'number' as const, id: number.id },
    { type: 'company' as const, id: second.company.id },
  ];
  for (let twice = 0; twice < 2; twice++) {
    const attached = await as(owner).request(contract.attachToDataGroup, {
      params,
      body: { company_id: company.id, entities },
    });
    expect(attached.body.data.entities).toHaveLength(4);
  }
  for (let twice = 0; twice < 2; twice++) {
    const detached = await as(owner).request(contract.detachFromDataGroup, {
      params,
      body: { company_id: company.id, entities },
    });
    expect(detached.body.data.entities.map(({ type }) => type)).toEqual(['company', 'user']);
  }
  const renamed = await as(owner).request(contract.updateDataGroup, {
    params,
    body: { company_id: company.id, description: 'What the north is measured by', entities: [] },
  });
  expect(renamed.body.data).toMatchObject({ name: 'Northern offices', entities: [] });
  expect(
    (
      await as(owner).request(contract.deleteDataGroup, {
        params,
        query: { company_id: company.id },
      })
    ).status,
  ).toBe(204);
  expect(
    (await as(owner).request(contract.getDataGroup, { params, query: { company_id: company.id } }))
      .status,
  ).toBe(404);
});

test('what is deleted, or leaves with its company, drops out silently', async () => {
  const { company, owner, second } = await twoCompaniesAndAStranger();
  const number = await inbox.number(company.id);
  const theirs = await inbox.number(second.company.id);
  const { body } = await create(owner, {
    name: 'All',
    entities: [
      { type: 'number', id: number.id },
      { type: 'number', id: theirs.id },
    ],
  });
  const read = async () =>
    (
      await as(owner).request(contract.getDataGroup, {
        params: { id: body.data.id },
        query: { company_id: company.id },
      })
    ).body.data.entities.map(({ id }) => id);
  expect((await read()).toSorted()).toEqual([number.id, theirs.id].toSorted());
  const { db } = app.services;
  await db.unscoped
    .updateTable('number')
    .set({ status: 'released' })
    .where('id', '=', number.id)
    .execute();
  expect(await read()).toEqual([theirs.id]);
  await db.unscoped
    .updateTable('company')
    .set({ organization_id: null })
    .where('id', '=', second.company.id)
    .execute();
  expect(await read()).toEqual([]);
});

test('activity is filtered by a group: its company, numbers, users and tags', async () => {
  const { company, owner, second, stranger } = await twoCompaniesAndAStranger();
  const [first, other] = [await inbox.number(company.id), await inbox.number(company.id)];
  const theirs = await inbox.number(stranger.company.id);
  await inbox.text('+12125550171', first.number, 'to the first');
  await inbox.text('+12125550172', other.number, 'to the other');
  await inbox.text('+12125550173', theirs.number, 'to the stranger');
  await inbox.send(owner, { numberId: other.id, to: '+12125550174', message: 'from the owner' });
  const group = async (entities: BodyIn<typeof contract.createDataGroup>['entities']) =>
    (await create(owner, { name: `Group of ${JSON.stringify(entities)}`.slice(0, 80), entities }))
      .body.data.id;
  const texts = async (who: TestPerson, id: number, op: 'eq' | 'ne' = 'eq') =>
    (
      await as(who).request(conversations.listActivity, {
        body: {
          company_id: who.companyId,
          groups: [[{ field: 'data_group', op, value: id }]],
        },
      })
    ).body.data
      .map((row) => (row.details as { content?: string }).content)
      .toSorted();
  const numbers = await group([{ type: 'number', id: first.id }]);
  const people = await group([{ type: 'user', id: owner.id }]);
  const here = await group([{ type: 'company', id: company.id }]);
  const elsewhere = await group([{ type: 'company', id: second.company.id }]);
  expect(await texts(owner, numbers)).toEqual(['to the first']);
  expect(await texts(owner, numbers, 'ne')).toEqual(['from the owner', 'to the other']);
  expect(await texts(owner, people)).toEqual(['from the owner']);
  expect(await texts(owner, here)).toHaveLength(3);
  expect(await texts(owner, elsewhere)).toEqual([]);
  // Another organization's group, and the same group asked from outside, match nothing.
  expect(await texts(stranger.owner, here)).toEqual([]);
});

test('administrators of the organization hear of every change', async () => {
  const { company, owner } = await twoCompaniesAndAStranger();
  const heard = async () =>
    (
      await app.services.db.unscoped
        .selectFrom('outbox')
        .select('id')
        .where('event', '=', 'data_group.changed')
        .where('channel_key', '=', owner.id)
        .execute()
    ).length;
  const { body } = await create(owner, { name: 'Heard' });
  expect(await heard()).toBe(1);
  const params = { id: body.data.id };
  await as(owner).request(contract.updateDataGroup, {
    params,
    body: { company_id: company.id, name: 'Heard again' },
  });
  await as(owner).request(contract.deleteDataGroup, { params, query: { company_id: company.id } });
  expect(await heard()).toBe(3);
});

describe('who may', () => {
  test('other organizations see nothing of it, and can’t put their things in or ours in theirs', async () => {
    const ours = await twoCompaniesAndAStranger();
    const theirs = await twoCompaniesAndAStranger();
    const { body } = await create(ours.owner, { name: 'Ours' });
    const params = { id: body.data.id };
    const company_id = theirs.company.id;
    const entities = [{ type: 'company' as const, id: theirs.company.id }];
    const statuses = [
      (await as(theirs.owner).request(contract.getDataGroup, { params, query: { company_id } }))
        .status,
      (
        await as(theirs.owner).request(contract.updateDataGroup, {
          params,
          body: { company_id, name: 'Taken' },
        })
      ).status,
      (
        await as(theirs.owner).request(contract.attachToDataGroup, {
          params,
          body: { company_id, entities },
        })
      ).status,
      (
        await as(theirs.owner).request(contract.detachFromDataGroup, {
          params,
          body: { company_id, entities },
        })
      ).status,
      (await as(theirs.owner).request(contract.deleteDataGroup, { params, query: { company_id } }))
        .status,
      (
        await as(theirs.owner).request(contract.listDataGroups, {
          query: { company_id, organizationId: ours.organizationId },
        })
      ).status,
    ];
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    const foreign = await create(ours.owner, {
      name: 'Foreign',
      entities: [
        { type: 'company', id: ours.company.id },
        { type: 'company', id: ours.stranger.company.id },
      ],
    });
    expect(foreign.status).toBe(422);
    expect((foreign.body as unknown as { errors: object }).errors).toEqual({
      'entities.1.id': ['Your organization has no such item.'],
    });
    const list = await as(theirs.owner).request(contract.listDataGroups, { query: { company_id } });
    expect(list.body.data).toEqual([]);
  });

  test('only an administrator of the organization; a company alone has no data groups', async () => {
    const { company, stranger } = await twoCompaniesAndAStranger();
    const administrator = await app.createPerson(company.id, 'administrator');
    expect((await create(administrator, { name: 'No' })).status).toBe(403);
    expect((await create(stranger.owner, { name: 'No' })).status).toBeGreaterThanOrEqual(403);
  });
});

test('names are unique in the organization, ignoring case', async () => {
  const { company, owner } = await twoCompaniesAndAStranger();
  await create(owner, { name: 'Sales' });
  const other = await create(owner, { name: 'Support' });
  const again = await create(owner, { name: 'SALES' });
  expect([again.status, (again.body as unknown as { message: string }).message]).toEqual([
    409,
    'Your organization already has a data group called “SALES”.',
  ]);
  const renamed = await as(owner).request(contract.updateDataGroup, {
    params: { id: other.body.data.id },
    body: { company_id: company.id, name: 'sales' },
  });
  expect(renamed.status).toBe(409);
  const found = await as(owner).request(contract.listDataGroups, {
    query: { company_id: company.id, search: 'SUP' },
  });
  expect(found.body.data.map(({ name }) => name)).toEqual(['Support']);
});
