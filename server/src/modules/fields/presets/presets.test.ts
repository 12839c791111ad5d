import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fields, presets as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const columns = [
  { key: 'label', order: 1 },
  { key: 'number', order: 0, width: 180, pinned: true },
];
const create = (who: TestPerson, body: object = {}) =>
  app.as(who).request(contract.createColumnPreset, {
    body: { name: 'Mine', entity: 'numbers', columns, ...body },
  });
const update = (who: TestPerson, id: number, body: object) =>
  app.as(who).request(contract.updateColumnPreset, { params: { id }, body: body });
const list = async (who: TestPerson, query: object = {}) =>
  (await app.as(who).request(contract.listColumnPresets, { query: query })).body.data;

describe('column presets', () => {
  test('belong to their user, with columns in order and one default per list', async () => {
    const { owner } = await app.createCompany();
    const { status, body } = await create(owner, {
      is_default: true,
      sort: { field: 'label', dir: 'asc' },
    });
    expect([status, body.data.columns.map((c) => [c.key, c.width, c.pinned])]).toEqual([
      201,
      [
        ['number', 180, true],
        ['label', null, false],
      ],
    ]);
    const second = (await create(owner, { name: 'Other', is_default: true })).body.data;
    expect(
      (await list(owner, { entity: 'numbers' })).map((p) => [p.name, p.is_default, p.mine]),
    ).toEqual([
      ['Mine', false, true],
      ['Other', true, true],
    ]);
    await update(owner, second.id, { is_default: false });
    expect((await list(owner)).some((p) => p.is_default)).toBe(false);
    expect((await create(owner, { name: 'mine' })).body).toMatchObject({ code: 'preset.exists' });
    expect((await update(owner, second.id, { name: 'MINE' })).body).toMatchObject({
      code: 'preset.exists',
    });
    expect(
      (await create(owner, { name: 'None', columns: columns.map((c) => ({ ...c, hidden: true })) }))
        .body,
    ).toMatchObject({ errors: { columns: ['Keep at least one column.'] } });
    expect((await create(owner, { name: 'None', columns: [] })).status).toBe(422);
  });

  test('shared ones can be used by all and changed by their owner; each user has a default of their own', async () => {
    const { company, owner } = await app.createCompany();
    const [una, rita] = [
      await app.createPerson(company.id, 'user'),
      await app.createPerson(company.id, 'reporting'),
    ];
    const { id } = (await create(una)).body.data;
    expect([
      (await list(rita)).length,
      (await app.as(rita).request(contract.getColumnPreset, { params: { id } })).status,
    ]).toEqual([0, 404]);
    await update(una, id, { shared: true });
    expect((await list(rita)).map((p) => [p.name, p.mine, p.user.id])).toEqual([
      ['Mine', false, una.id],
    ]);
    expect((await update(rita, id, { is_default: true })).body.data.is_default).toBe(true);
    expect(
      (await app.as(una).request(contract.getColumnPreset, { params: { id } })).body.data
        .is_default,
    ).toBe(false);
    expect((await update(rita, id, { name: 'Hers' })).body).toMatchObject({
      code: 'preset.not_yours',
      message: `Only ${una.role} ${una.email.match(/\d+/)![0]} can change this preset. Save your own under a different name.`,
    });
    expect(
      (await app.as(rita).request(contract.deleteColumnPreset, { params: { id } })).status,
    ).toBe(403);
    expect((await create(rita, { name: 'Mine' })).status).toBe(201);
    await update(una, id, { shared: false });
    await update(una, id, { shared: true });
    expect((await list(rita)).find((p) => p.id === id)?.is_default).toBe(false);
    expect(
      (await app.as(owner).request(contract.deleteColumnPreset, { params: { id } })).status,
    ).toBe(204);
    expect((await list(una)).length).toBe(0);
  });

  test('have only columns of their list, but keep one whose field was deleted', async () => {
    const { company, owner } = await app.createCompany();
    const wrong = await create(owner, {
      columns: [...columns, { key: 'nonsense', order: 2 }, { key: 'eav:nowhere', order: 3 }],
    });
    expect([wrong.status, wrong.body]).toEqual([
      422,
      expect.objectContaining({
        errors: {
          'columns.2.key': ['This list has no column named nonsense.'],
          'columns.3.key': ['This list has no column named eav:nowhere.'],
        },
      }),
    ]);
    const field = (
      await app.as(owner).request(fields.createField, {
        params: { type: 'number' },
        body: { companyId: company.id, name: 'Desk', key: 'desk', type: 'stringKeyword' },
      })
    ).body as { data: { id: number } };
    const withField = [...columns, { key: 'eav:desk', order: 2 }];
    const { id } = (await create(owner, { columns: withField })).body.data;
    expect((await update(owner, id, { columns: [{ key: 'nonsense', order: 0 }] })).status).toBe(
      422,
    );
    expect(
      (await app.as(owner).request(fields.deleteField, { params: { id: field.data.id } })).status,
    ).toBe(204);
    expect([
      (await update(owner, id, { columns: withField })).status,
      (await create(owner, { name: 'New', columns: withField })).status,
    ]).toEqual([200, 422]);
  });

  test.each([
    ['numbers', 'features/numbers/list/columns.tsx'],
    ['contacts', 'features/contacts/columns.tsx'],
    ['templates', 'features/numbers/list/template-columns.tsx'],
    ['users', 'features/companies/screens/SettingsUsers.tsx'],
  ] as const)('of %s may have every column that the screen has', (entity, file) => {
    const onScreen = [
      ...readFileSync(`web/src/${file}`, 'utf8').matchAll(/\bkey: '(\w+)',\s+title:/g),
    ].map(([, key]) => key);
    expect(onScreen.length).toBeGreaterThan(3);
    expect(onScreen.filter((key) => !contract.presetColumnKeys[entity].includes(key!))).toEqual([]);
  });

  test('of calls, texts, voicemails and faxes accept every column of their screen', () => {
    const known = new Set(
      (['calls', 'messages', 'voicemails', 'fax'] as const).flatMap(
        (entity) => contract.presetColumnKeys[entity],
      ),
    );
    const onScreen = [
      ...readFileSync(
        'web/src/features/conversations/activity/activity-columns.tsx',
        'utf8',
      ).matchAll(/\bkey: '(\w+)',\s+title:/g),
    ].map(([, key]) => key!);
    expect([onScreen.length > 8, onScreen.filter((key) => !known.has(key))]).toEqual([true, []]);
  });
});
