import { describe, expect, it } from 'vitest';
import { companies, fields, numbers as contract, routing, type BodyIn } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { grantNumberLimit, provisionNumber } from './index.ts';

type contractField = fields.Field;
const app = await createTestApp();
let line = 100;
const someNumbers = async (owner: TestPerson, n: number) => {
  const ids: number[] = [];
  await systemCtx(app.services, owner.companyId, app.notifier).transaction(async (t) => {
    await grantNumberLimit(t, 50);
    for (let i = 0; i < n; i++)
      ids.push(await provisionNumber(t, { number: `+1628555${6000 + line++}` }));
  });
  return ids;
};
const define = async (owner: TestPerson, type: string, body: BodyIn<typeof fields.createField>) =>
  (await app.as(owner).request(fields.createField, { params: { type }, body })).body.data;
const set = (
  owner: TestPerson,
  id: number,
  values: BodyIn<typeof routing.updateNumber>['eavAttributeValues'],
) =>
  app.as(owner).request(routing.updateNumber, {
    params: { id },
    body: { eavAttributeValues: values },
  });
const found = async (owner: TestPerson, eav: Record<string, unknown>) =>
  (
    await app.as(owner).request(contract.listNumbersDatatable, {
      query: { eav, sort: 'number', dir: 'asc' },
    })
  ).body.data?.map((n) => n.id);

describe('custom fields of numbers', () => {
  it('values are set, shown, filtered, exported and recorded in the timeline', async () => {
    const { owner } = await app.createCompany();
    const [a, b, c] = (await someNumbers(owner, 3)) as [number, number, number];
    await define(owner, 'number', {
      name: 'Monthly cost',
      type: 'number',
      is_visible_in_list: true,
    });
    await define(owner, 'number', { name: 'Campaign', type: 'stringKeyword' });
    const saved = await set(owner, a, [
      { key: 'monthly_cost', value: '12.50' },
      { key: 'campaign', value: 'Radio' },
    ]);
    expect(
      saved.body.data.eavAttributeValues.map((v) => [v.key, v.value, v.source, v.updated_by]),
    ).toEqual([
      ['monthly_cost', 12.5, 'user', owner.id],
      ['campaign', 'Radio', 'user', owner.id],
    ]);
    await set(owner, b, [{ key: 'monthly_cost', value: 99 }]);
    expect((await set(owner, b, [{ key: 'monthly_cost', value: 'a lot' }])).body).toMatchObject({
      errors: { 'eavAttributeValues.monthly_cost': ['Enter a number with at most 15 digits.'] },
    });
    expect([
      await found(owner, { monthly_cost: '10..20' }),
      await found(owner, { monthly_cost: '12.5..' }),
      await found(owner, { monthly_cost: 'is:empty' }),
      await found(owner, { campaign: 'rad', monthly_cost: ' ' }),
      await found(owner, { campaign: '' }),
    ]).toEqual([[a], [a, b], [c], [a], [a, b, c]]);
    expect(
      (
        await app.as(owner).request(contract.listNumbersDatatable, {
          query: { eav: { monthly_cost: 'x' } },
        })
      ).body,
    ).toMatchObject({ errors: { 'eav.monthly_cost': [expect.any(String)] } });
    const file = (
      await app.as(owner).request(contract.exportNumbers, {
        query: {
          columns: ['number', 'eav:monthly_cost', 'eav:campaign'],
          eav: { monthly_cost: '..50' },
        },
      })
    ).body.data;
    const { number } = (await app.as(owner).request(routing.getNumber, { params: { id: a } })).body
      .data;
    expect(
      String((await app.as(owner).inject({ method: 'GET', url: file.url })).body)
        .replace(/^\uFEFF/, '')
        .trim()
        .split('\r\n'),
    ).toEqual(['Number,Monthly cost,Campaign', `${number},12.5,Radio`]);
    await set(owner, a, [{ key: 'campaign', value: null }]);
    const events = (
      await app.as(owner).request(contract.numberTimelineEvents, {
        params: { companyId: owner.companyId, number },
        query: { types: ['custom_field_changed'] },
      })
    ).body.data[number]!;
    expect(events).toHaveLength(3);
    expect(events.map((e) => [e.summary, e.before, e.after])).toEqual(
      expect.arrayContaining([
        ['Campaign: none', { value: 'Radio' }, { value: null }],
        ['Campaign: Radio', { value: null }, { value: 'Radio' }],
        ['Monthly cost: 12.5', { value: null }, { value: '12.5' }],
      ]),
    );
    expect(events[0]!.eav_attribute_values.map((v) => v.label)).toEqual(['12.5']);
  });

  it('bulk changes select by ids or by field values, and invalid values are rejected before the job starts', async () => {
    const { owner } = await app.createCompany();
    const [a, b, c] = (await someNumbers(owner, 3)) as [number, number, number];
    await define(owner, 'number', {
      name: 'Place',
      type: 'enum',
      choices: [{ value: 'North' }, { value: 'South' }],
    });
    const bulk = (body: BodyIn<typeof contract.updateNumbersInBulk>) =>
      app.as(owner).request(contract.updateNumbersInBulk, { body });
    expect(
      (await bulk({ ids: [a], patch: { eavAttributeValues: [{ key: 'place', value: 'West' }] } }))
        .body,
    ).toMatchObject({
      errors: { 'patch.eavAttributeValues.place': ['Choose an option from the list.'] },
    });
    await bulk({ ids: [a, b], patch: { eavAttributeValues: [{ key: 'place', value: 'North' }] } });
    await app.drainJobs();
    expect(await found(owner, { place: 'north' })).toEqual([a, b]);
    // Each timeline records the change as a manual change does; the excluded number's has none.
    const timelineOf = async (id: number) => {
      const { number } = (await app.as(owner).request(routing.getNumber, { params: { id } })).body
        .data;
      return (
        await app.as(owner).request(contract.numberTimelineEvents, {
          params: { companyId: owner.companyId, number },
          query: { types: ['custom_field_changed'] },
        })
      ).body.data[number]!.map((e) => [e.summary, e.before, e.after]);
    };
    for (const id of [a, b])
      expect(await timelineOf(id)).toEqual([['Place: North', { value: null }, { value: 'North' }]]);
    expect(await timelineOf(c)).toEqual([]);
    // One option is replaced by another, then the field is deleted: recorded for numbers that had a
    // value.
    const field = (await app.as(owner).request(fields.listFields, { query: {} })).body.data.find(
      (one) => one.name === 'Place',
    )! as contractField;
    const [north, south] = field.choices;
    const changed = await app.as(owner).request(fields.updateField, {
      params: { type: 'number', id: field.id },
      body: {
        choices: [{ id: south!.id, value: 'South', description: '' }],
        replacements: [{ from: north!.id, to: south!.id }],
      },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await app.drainJobs();
    expect((await timelineOf(a))[0]).toEqual([
      'Place: South',
      { value: 'North' },
      { value: 'South' },
    ]);
    app.clock.advance(1);
    expect(
      (await app.as(owner).request(fields.deleteField, { params: { id: field.id } })).status,
    ).toBe(204);
    await app.drainJobs();
    for (const id of [a, b])
      expect((await timelineOf(id)).map(([summary]) => summary)).toEqual([
        'Place: none',
        'Place: South',
        'Place: North',
      ]);
    expect(await timelineOf(c)).toEqual([]);
    await define(owner, 'number', {
      name: 'Place',
      type: 'enum',
      choices: [{ value: 'North' }, { value: 'South' }],
    });
    await bulk({ ids: [a, b], patch: { eavAttributeValues: [{ key: 'place', value: 'North' }] } });
    await app.drainJobs();
    await bulk({
      all: true,
      filters: { eav: { place: 'is:empty' } },
      patch: { eavAttributeValues: [{ key: 'place', value: 'South' }] },
    });
    await app.drainJobs();
    expect(await found(owner, { place: 'South' })).toEqual([c]);
  });
});

it('deleting an organization’s field is recorded in the timelines of all its companies', async () => {
  const [here, there] = [await app.createCompany(), await app.createCompany()];
  const admin = await app.createPerson(here.company.id, 'user');
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `numbers-${here.company.id}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', 'in', [here.company.id, there.company.id])
      .execute();
    await tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: admin.id })
      .execute();
    await tx.deleteFrom('membership').where('user_id', '=', admin.id).execute();
  });
  const field = await define(admin, 'number', {
    name: 'Place',
    type: 'enum',
    choices: [{ value: 'North' }, { value: 'South' }],
    scope: 'organization',
  });
  const [id] = (await someNumbers(there.owner, 1)) as [number];
  await set(there.owner, id, [{ key: 'place', value: 'North' }]);
  const { number } = (await app.as(there.owner).request(routing.getNumber, { params: { id } })).body
    .data;
  const [north, south] = field.choices;
  app.clock.advance(1);
  expect(
    (
      await app.as(admin).request(fields.updateField, {
        params: { type: 'number', id: field.id },
        body: {
          choices: [{ id: south!.id, value: 'South', description: '' }],
          replacements: [{ from: north!.id, to: south!.id }],
        },
      })
    ).status,
  ).toBe(200);
  await app.drainJobs();
  app.clock.advance(1);
  expect(
    (await app.as(admin).request(fields.deleteField, { params: { id: field.id } })).status,
  ).toBe(204);
  await app.drainJobs();
  const events = (
    await app.as(there.owner).request(contract.numberTimelineEvents, {
      params: { companyId: there.company.id, number },
      query: { types: ['custom_field_changed'] },
    })
  ).body.data[number]!;
  expect(events.map((e) => [e.summary, e.actor.name])).toEqual([
    ['Place: none', expect.stringContaining('user')],
    ['Place: South', expect.any(String)],
    ['Place: North', expect.any(String)],
  ]);
});

it('companies and users have custom values too', async () => {
  const { company, owner } = await app.createCompany();
  await define(owner, 'company', { name: 'Region', type: 'stringKeyword' });
  await define(owner, 'user', { name: 'Badge', type: 'number', defaultValue: 7 });
  const saved = await app.as(owner).request(companies.updateCompany, {
    params: { id: company.id },
    body: { eav_attribute_values: [{ key: 'region', value: 'Coast' }] },
  });
  expect(saved.body.data.eav_attribute_values).toMatchObject([{ key: 'region', value: 'Coast' }]);
  expect(
    (
      await app.as(owner).request(companies.updateCompany, {
        params: { id: company.id },
        body: { eav_attribute_values: [{ key: 'reigon', value: 'x' }] },
      })
    ).body,
  ).toMatchObject({
    errors: { 'eav_attribute_values.reigon': ['This custom field doesn’t exist.'] },
  });
  expect(
    (await app.as(owner).request(companies.listCompanyUsers, { params: { companyId: company.id } }))
      .body.data[0]!.eavAttributeValues,
  ).toMatchObject([{ key: 'badge', value: 7, source: 'default' }]);
});
