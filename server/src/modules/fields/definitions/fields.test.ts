import { describe, expect, test } from 'vitest';
import { fields as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx, type TxCtx } from '../../../platform/context.ts';
import { setValues, valuesOf } from '../index.ts';

const app = await createTestApp();
const within = <T>(companyId: number, work: (ctx: TxCtx) => Promise<T>) =>
  systemCtx(app.services, companyId, app.notifier).transaction(work) as Promise<T>;
const create = (who: TestPerson, type: string, body: object) =>
  app.as(who).request(contract.createField, { params: { type }, body: body as never });
const update = (who: TestPerson, type: string, id: number, body: object) =>
  app.as(who).request(contract.updateField, { params: { type, id }, body: body });
const list = async (who: TestPerson, query: object = {}) =>
  (await app.as(who).request(contract.listFields, { query: query })).body.data;
const stage = {
  name: 'Stage',
  type: 'enum',
  choices: [
    { value: 'Won', sort_order: 20 },
    { value: 'New', sort_order: 10, description: 'Just called' },
  ],
};
/** Two companies of one organization, each with its owner, and who administers the organization. */
async function aGroup() {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const admin = { ...(await app.createPerson(a.company.id, 'user')), role: 'org-administrator' };
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `g-${a.company.id}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', 'in', [a.company.id, b.company.id])
      .execute();
    await tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: admin.id })
      .execute();
    await tx.deleteFrom('membership').where('user_id', '=', admin.id).execute();
  });
  return { a, b, admin };
}

describe('custom fields', () => {
  test('are created with ordered choices and listed by object type', async () => {
    const { owner } = await app.createCompany();
    const { status, body } = await create(owner, 'call', stage);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      entity_type_id: 6,
      key: 'stage',
      type: 'enum',
      scope: { company_id: owner.companyId },
      overriding: null,
      defaultValue: null,
    });
    expect(body.data.choices.map((c) => [c.value, c.sort_order, c.description])).toEqual([
      ['New', 10, 'Just called'],
      ['Won', 20, ''],
    ]);
    expect((await create(owner, '6', { name: 'Stage', type: 'boolean' })).body.data.key).toBe(
      'stage_2',
    );
    expect(
      (
        await create(owner, 'Number', {
          name: 'Deal value (USD)',
          type: 'number',
          defaultValue: '1,000',
        })
      ).body.data,
    ).toMatchObject({ key: 'deal_value_usd', entity_type_id: 1, defaultValue: 1000 });
    expect((await list(owner, { entityType: 'call' })).map((f) => f.key)).toEqual([
      'stage',
      'stage_2',
    ]);
    const entities = (await app.as(owner).request(contract.listFieldEntities)).body.data;
    expect(entities.map((e) => [e.id, e.key, e.attribute_count])).toEqual([
      [1, 'number', 1],
      [2, 'company', 0],
      [3, 'tracking-pool', 0],
      [4, 'organization', 0],
      [5, 'user', 0],
      [6, 'call', 2],
      [7, 'contact', 0],
    ]);
    expect((await create(owner, 'spaceship', { name: 'x', type: 'number' })).status).toBe(404);
  });

  test('are rejected at the field that is invalid', async () => {
    const { owner } = await app.createCompany();
    const errors = async (body: object) =>
      ((await create(owner, 'call', body)).body as never as { errors: object }).errors;
    expect(await errors({ name: 'A', type: 'enum' })).toEqual({
      choices: ['Add at least one choice.'],
    });
    expect(
      await errors({ name: 'A', type: 'enum', choices: [{ value: 'X' }, { value: 'x' }] }),
    ).toEqual({ 'choices.1.value': ['Another choice has this text. Enter a different one.'] });
    expect(await errors({ name: 'A', type: 'date', defaultValue: 'tomorrow' })).toEqual({
      defaultValue: ['Enter a date as YYYY-MM-DD.'],
    });
    expect(await errors({ name: 'A', type: 'boolean', is_unique: true })).toEqual({
      is_unique: ['Only numbers, dates, phone numbers and keywords can be unique.'],
    });
    expect(await errors({ name: 'A', type: 'number', key: '1st' })).toEqual({
      key: ['Use lowercase letters, digits and _, starting with a letter.'],
    });
    expect(await errors({ name: 'A', type: 'number', scope: 'organization' })).toMatchObject([
      { code: 'role.forbidden' },
    ]);
    await create(owner, 'call', { name: 'A', type: 'number' });
    expect(await errors({ name: 'B', type: 'number', key: 'a' })).toEqual({
      key: ['Another field has this key.'],
    });
  });

  test('are seen by users and changed by administrators', async () => {
    const { company, owner } = await app.createCompany();
    const [user, billing] = [
      await app.createPerson(company.id, 'user'),
      await app.createPerson(company.id, 'billing'),
    ];
    await create(owner, 'call', stage);
    expect((await list(user)).length).toBe(1);
    expect([
      (await create(user, 'call', { name: 'B', type: 'number' })).status,
      (await app.as(billing).request(contract.listFields)).status,
    ]).toEqual([403, 403]);
  });

  test('keep their type once values exist; a choice in use is removed only with a replacement', async () => {
    const { company, owner } = await app.createCompany();
    const { data: field } = (
      await create(owner, 'call', {
        ...stage,
        choices: [...stage.choices, { value: 'Lost', sort_order: 30 }],
      })
    ).body;
    const [fresh, won, lost] = field.choices as [never, { id: number }, { id: number }] &
      typeof field.choices;
    await within(company.id, async (ctx) => {
      for (const [call, choice] of [
        [1, won],
        [2, won],
        [3, lost],
      ] as const)
        await setValues(ctx, 6, call, [{ key: 'stage', value: choice.id }]);
    });
    expect(
      (await app.as(owner).request(contract.fieldCountStats, { params: { id: field.id } })).body
        .data,
    ).toEqual({
      total: 0,
      filled: 3,
      byChoice: { [(fresh as { id: number }).id]: 0, [won.id]: 2, [lost.id]: 1 },
    });
    expect((await update(owner, 'call', field.id, { type: 'number' })).body).toMatchObject({
      errors: {
        type: [
          'The type can’t be changed because 3 objects have a value. Create another field instead.',
        ],
      },
    });
    const without = { choices: [{ id: (fresh as { id: number }).id, value: 'Fresh' }] };
    const refused = await update(owner, 'call', field.id, without);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'field.choice_used',
        errors: [
          {
            choices: [
              { value: 'Won', used: 2 },
              { value: 'Lost', used: 1 },
            ],
          },
        ],
      },
    ]);
    const done = await update(owner, 'call', field.id, {
      ...without,
      replacements: [
        { from: won.id, to: (fresh as { id: number }).id },
        { from: lost.id, to: null },
      ],
    });
    expect(done.body.data.choices.map((c) => c.value)).toEqual(['Fresh']);
    const values = await within(company.id, (ctx) => valuesOf(ctx, 6, [1, 2, 3]));
    expect([...values.values()].map((v) => v.map((one) => one.label))).toEqual([
      ['Fresh'],
      ['Fresh'],
      [],
    ]);
  });

  test('have a history, and lose their values when they are deleted', async () => {
    const { company, owner } = await app.createCompany();
    const { data: field } = (await create(owner, 'number', { name: 'Cost', type: 'number' })).body;
    await update(owner, 'number', field.id, { name: 'Price', is_required: true });
    await update(owner, 'number', field.id, { name: 'Price' });
    await within(company.id, (ctx) => setValues(ctx, 1, 9, [{ key: 'cost', value: 3 }]));
    const history = async () =>
      (
        await app.as(owner).request(contract.fieldHistory, { params: { id: field.id } })
      ).body.data.map((h) => [h.action, h.detail, h.actor.id]);
    expect(await history()).toEqual([
      ['updated', 'name, required', owner.id],
      ['created', 'Cost (number)', owner.id],
    ]);
    expect(
      (await app.as(owner).request(contract.deleteField, { params: { id: field.id } })).status,
    ).toBe(204);
    expect(
      (await app.as(owner).request(contract.deleteField, { params: { id: field.id } })).status,
    ).toBe(404);
    expect(await history()).toEqual([
      ['deleted', 'Price', owner.id],
      ['updated', 'name, required', owner.id],
      ['created', 'Cost (number)', owner.id],
    ]);
    const { rows } = await app.services.db.pool.query(
      'select count(*)::int n from field_value where company_id = $1',
      [company.id],
    );
    expect(rows[0].n).toBe(0);
  });

  test('objects without a value have the default', async () => {
    const { company, owner } = await app.createCompany();
    await create(owner, 'contact', {
      name: 'Language',
      type: 'stringKeyword',
      defaultValue: 'English',
    });
    const values = () => within(company.id, (ctx) => valuesOf(ctx, 7, [5]));
    expect((await values()).get(5)).toMatchObject([
      { value: 'English', source: 'default', updated_at: null },
    ]);
    await within(company.id, (ctx) =>
      setValues(ctx, 7, 5, [{ key: 'language', value: 'Spanish' }]),
    );
    expect((await values()).get(5)).toMatchObject([{ value: 'Spanish', source: 'user' }]);
  });
});

describe('an organization’s fields', () => {
  test('exist in all its companies, which can override description, choices and default', async () => {
    const { a, b, admin } = await aGroup();
    const inA = { ...admin, companyId: a.company.id };
    const {
      body: { data: field },
    } = await create(inA, 'call', { ...stage, scope: 'organization' });
    expect(field.scope).toHaveProperty('organization_id');
    expect((await list(b.owner)).map((f) => f.id)).toEqual([field.id]);
    expect((await update(b.owner, 'call', field.id, { name: 'Mine' })).status).toBe(403);
    const override = (who: TestPerson, body: object) =>
      app.as(who).request(contract.overrideField, { params: { id: field.id }, body: body });
    const made = await override(b.owner, {
      description: 'Ours',
      choices: [{ id: field.choices[0]!.id, value: 'Brand new' }, { value: 'Only here' }],
      defaultValue: 'Only here',
    });
    expect([
      made.status,
      made.body.data.choices.map((c) => c.value),
      made.body.data.overriding?.attribute_id,
    ]).toEqual([201, ['Brand new', 'Only here'], field.id]);
    expect((await list(a.owner))[0]).toMatchObject({
      description: '',
      defaultValue: null,
      overriding: null,
    });
    expect((await list(b.owner))[0]).toMatchObject({
      description: 'Ours',
      defaultValue: made.body.data.choices[1]!.id,
    });
    const overrides = async (who: TestPerson) =>
      (
        await app.as(who).request(contract.listFieldOverrides, { params: { id: field.id } })
      ).body.data.map((o) => o.company.id);
    expect([await overrides(inA), await overrides(a.owner), await overrides(b.owner)]).toEqual([
      [b.company.id],
      [],
      [b.company.id],
    ]);
    await within(b.company.id, (ctx) =>
      setValues(ctx, 6, 1, [{ attribute_id: field.id, value: 'Only here' }]),
    );
    const overrideId = made.body.data.overriding!.override_id;
    const back = (body: object) =>
      app.as(b.owner).request(contract.deleteFieldOverride, {
        params: { id: field.id, overrideId },
        query: {},
        body: body,
      });
    expect((await back({})).body).toMatchObject({
      code: 'field.choice_used',
      errors: [{ choices: [{ value: 'Only here', used: 1 }] }],
    });
    expect(
      (
        await back({
          replacements: [{ from: made.body.data.choices[1]!.id, to: field.choices[1]!.id }],
        })
      ).status,
    ).toBe(204);
    expect((await within(b.company.id, (ctx) => valuesOf(ctx, 6, [1]))).get(1)).toMatchObject([
      { label: 'Won' },
    ]);
    expect((await list(b.owner))[0]).toMatchObject({ description: '', overriding: null });
    const own = (await create(b.owner, 'call', { name: 'Own', type: 'number' })).body.data;
    expect(
      (await app.as(b.owner).request(contract.overrideField, { params: { id: own.id }, body: {} }))
        .body,
    ).toMatchObject({ code: 'field.not_organization' });
  });

  test('a removed choice is replaced, and a deleted field removed, in every company', async () => {
    const { a, b, admin } = await aGroup();
    const inA = { ...admin, companyId: a.company.id };
    const {
      body: { data: field },
    } = await create(inA, 'contact', { ...stage, scope: 'organization' });
    const [fresh, won] = field.choices;
    await within(b.company.id, (ctx) => setValues(ctx, 7, 1, [{ key: 'stage', value: 'Won' }]));
    expect(
      (await update(inA, 'contact', field.id, { choices: [{ id: fresh!.id, value: 'New' }] })).body,
    ).toMatchObject({ code: 'field.choice_used' });
    expect(
      (
        await update(inA, 'contact', field.id, {
          choices: [{ id: fresh!.id, value: 'New' }],
          replacements: [{ from: won!.id, to: fresh!.id }],
        })
      ).status,
    ).toBe(200);
    await app.drainJobs();
    expect((await within(b.company.id, (ctx) => valuesOf(ctx, 7, [1]))).get(1)).toMatchObject([
      { label: 'New' },
    ]);
    expect(
      (await app.as(inA).request(contract.deleteField, { params: { id: field.id } })).status,
    ).toBe(204);
    await app.drainJobs();
    expect([
      await list(b.owner),
      (await app.services.db.pool.query('select from field_value where field_id = $1', [field.id]))
        .rows,
    ]).toEqual([[], []]);
  });

  test('are invisible to companies of other organizations', async () => {
    const [one, two] = [await aGroup(), await aGroup()];
    const {
      body: { data: field },
    } = await create({ ...one.admin, companyId: one.a.company.id }, 'call', {
      ...stage,
      scope: 'organization',
    });
    expect(await list(two.a.owner)).toEqual([]);
    expect(
      (await update({ ...two.admin, companyId: two.a.company.id }, 'call', field.id, { name: 'x' }))
        .status,
    ).toBe(404);
    await expect(
      within(two.a.company.id, (ctx) =>
        setValues(ctx, 6, 1, [{ attribute_id: field.id, value: 'New' }]),
      ),
    ).rejects.toMatchObject({ code: 'invalid' });
  });
});
