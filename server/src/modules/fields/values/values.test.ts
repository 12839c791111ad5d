import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  fieldTypes,
  readFilter,
  readValue,
  type EntityTypeId,
  type FieldValueType,
  type FieldType,
} from '#contract/fields/rules';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { systemCtx, type TxCtx } from '../../../platform/context.ts';
import { fieldFilter, fieldsFor, setManyValues, setValues, valuesOf } from '../index.ts';
import { defaultMatches } from './field-filter.ts';
import { insertField } from '../definitions/store.ts';

const app = await createTestApp();
const within = <T>(companyId: number, work: (ctx: TxCtx) => Promise<T>) =>
  systemCtx(app.services, companyId, app.notifier).transaction(work) as Promise<T>;
const choices = [
  { id: 501, value: 'New', sort_order: 1, description: '' },
  { id: 502, value: 'Won', sort_order: 2, description: '' },
];
const define = (ctx: TxCtx, entity: EntityTypeId, type: FieldType, more: object = {}) =>
  insertField(
    ctx.tx,
    { companyId: ctx.companyId },
    {
      entity_type_id: entity,
      key: `f_${type.toLowerCase()}`,
      name: type,
      description: '',
      type,
      choices: type === 'enum' ? choices : [],
      default_value: null,
      is_required: false,
      is_unique: false,
      is_visible_in_list: false,
      is_filterable: true,
      ai: {},
      ...more,
    },
    null,
    ctx.now,
  ) as Promise<number>;

const words = (most: number) =>
  fc
    .string({ minLength: 1, maxLength: most })
    .map((s) => s.trim())
    .filter((s) => s !== '');
const anyValue: Record<FieldType, fc.Arbitrary<FieldValueType>> = {
  boolean: fc.boolean(),
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10)),
  enum: fc.constantFrom(501, 502),
  number: fc.oneof(
    fc.integer({ min: -999_999_999, max: 999_999_999 }),
    fc
      .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.integer({ min: 0, max: 9999 }))
      .map(([whole, part]) => Number(`${whole}.${String(part).padStart(4, '0')}`)),
  ),
  phone: fc.integer({ min: 100, max: 199 }).map((n) => `+12125550${n}`),
  stringText: words(80),
  stringKeyword: words(40),
};

describe('a typed value', () => {
  test('is stored and read back, for all seven types on all seven object types', async () => {
    const { company } = await app.createCompany();
    const { id: organization } = await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('organization')
        .values({ name: 'Group', slug: `group-${company.id}` })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({ organization_id: organization })
        .where('id', '=', company.id)
        .execute(),
    );
    await within(company.id, async (ctx) => {
      for (const entity of [1, 2, 3, 4, 5, 6, 7] as const) {
        for (const type of fieldTypes) {
          if (entity === 4)
            await insertField(
              ctx.tx,
              { organizationId: organization },
              {
                entity_type_id: 4,
                key: `f_${type.toLowerCase()}`,
                name: type,
                description: '',
                type,
                choices: type === 'enum' ? choices : [],
                default_value: null,
                is_required: false,
                is_unique: false,
                is_visible_in_list: false,
                is_filterable: true,
                ai: {},
              },
              null,
              ctx.now,
            );
          else await define(ctx, entity, type);
        }
        const object = entity === 4 ? organization : 7000 + entity;
        const fields = await fieldsFor(ctx, entity);
        expect(fields.map((f) => f.type)).toEqual([...fieldTypes]);
        await fc.assert(
          fc.asyncProperty(fc.record(anyValue), async (values) => {
            await setValues(
              ctx,
              entity,
              object,
              fields.map((f) => ({ attribute_id: f.id, value: values[f.type] })),
            );
            const read = (await valuesOf(ctx, entity, [object])).get(object)!;
            expect(
              Object.fromEntries(
                read.map((v) => [fields.find((f) => f.id === v.attribute_id)!.type, v.value]),
              ),
            ).toEqual(values);
          }),
          { numRuns: 6 },
        );
        const cleared = await setValues(
          ctx,
          entity,
          object,
          fields.map((f) => ({ key: f.key, value: '  ' })),
        );
        expect([cleared.length, (await valuesOf(ctx, entity, [object])).get(object)]).toEqual([
          7,
          [],
        ]);
      }
    });
  });

  test('of the wrong type is rejected at its field with a sentence', async () => {
    const { company } = await app.createCompany();
    await within(company.id, async (ctx) => {
      for (const type of fieldTypes) await define(ctx, 1, type);
    });
    const wrong: Record<FieldType, unknown> = {
      boolean: 'maybe',
      date: '2026-02-30',
      enum: 'Lost',
      number: '12 apples',
      phone: '12',
      stringText: 'x'.repeat(10_001),
      stringKeyword: 'x'.repeat(256),
    };
    await expect(
      within(company.id, (ctx) =>
        setValues(
          ctx,
          1,
          5,
          fieldTypes.map((type) => ({ key: `f_${type.toLowerCase()}`, value: wrong[type] })),
        ),
      ),
    ).rejects.toMatchObject({
      code: 'invalid',
      errors: {
        'eavAttributeValues.f_boolean': ['Choose yes or no.'],
        'eavAttributeValues.f_date': ['Enter a date as YYYY-MM-DD.'],
        'eavAttributeValues.f_enum': ['Choose an option from the list.'],
        'eavAttributeValues.f_number': ['Enter a number with at most 15 digits.'],
        'eavAttributeValues.f_phone': ['Enter a phone number.'],
        'eavAttributeValues.f_stringtext': ['At most 10,000 characters.'],
        'eavAttributeValues.f_stringkeyword': ['At most 255 characters.'],
      },
    });
    expect(await within(company.id, (ctx) => valuesOf(ctx, 1, [5]))).toEqual(new Map([[5, []]]));
  });

  test('is read in the formats that files and people use', () => {
    const read = (type: FieldType, value: unknown) => readValue({ type, choices }, value);
    expect([
      read('number', ' 1,250.50 '),
      read('number', '-0'),
      read('number', '1e5'),
      read('number', '1234567890123456'),
      read('number', ''),
    ]).toEqual([
      { value: 1250.5 },
      { value: 0 },
      { error: expect.any(String) },
      { error: expect.any(String) },
      { error: expect.any(String) },
    ]);
    expect([
      read('boolean', 'Yes'),
      read('boolean', 0),
      read('enum', 'won'),
      read('enum', '501'),
      read('phone', '(212) 555-0147'),
      read('stringKeyword', 7),
    ]).toEqual([
      { value: true },
      { value: false },
      { value: 502 },
      { value: 501 },
      { value: '+12125550147' },
      { value: '7' },
    ]);
  });
});

describe('a list filtered by a custom field', () => {
  test('finds exactly the objects whose value or default matches', async () => {
    const { company } = await app.createCompany();
    const ids = await within(
      company.id,
      async (ctx) =>
        Object.fromEntries(
          await Promise.all([]).then(async () => {
            const made: [FieldType, number][] = [];
            for (const type of fieldTypes)
              made.push([
                type,
                await define(ctx, 6, type, {
                  default_value: {
                    boolean: true,
                    date: '2026-05-05',
                    enum: 501,
                    number: 10,
                    phone: '+12125550150',
                    stringText: 'Some words',
                    stringKeyword: 'Key',
                  }[type],
                }),
              ]);
            return made;
          }),
        ) as Record<FieldType, number>,
    );
    let entity = 100;
    const ranged = (values: fc.Arbitrary<FieldValueType>) =>
      fc
        .tuple(fc.option(values), fc.option(values))
        .filter(([from, to]) => from !== null || to !== null)
        .map(([from, to]) => `${from ?? ''}..${to ?? ''}`);
    const anyFilter: Record<FieldType, fc.Arbitrary<unknown>> = {
      boolean: fc.boolean(),
      date: ranged(anyValue.date),
      number: fc.oneof(ranged(anyValue.number), ranged(fc.integer({ min: -20, max: 20 }))),
      enum: fc.constantFrom('501', '502', '501,502', 'won'),
      phone: fc.oneof(anyValue.phone, fc.constantFrom('555', '0150')),
      stringText: fc.oneof(
        fc.constantFrom('some', '%', '_', '\\', 'WORDS'),
        fc.string({ minLength: 1, maxLength: 2 }),
      ),
      stringKeyword: fc.oneof(
        fc.constantFrom('k', 'KEY', '%'),
        fc.string({ minLength: 1, maxLength: 2 }),
      ),
    };
    await within(company.id, async (ctx) => {
      for (const type of fieldTypes) {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.option(anyValue[type], { freq: 4 }), { minLength: 1, maxLength: 8 }),
            fc.oneof(
              { weight: 5, arbitrary: anyFilter[type].map(String) },
              fc.constantFrom('is:set', 'is:empty', ' '),
            ),
            async (values, asked) => {
              const objects = values.map((value) => ({ entityId: entity++, value }));
              await setManyValues(
                ctx,
                6,
                objects.map((o) => ({
                  entityId: o.entityId,
                  values: [{ attribute_id: ids[type], value: o.value }],
                })),
              );
              const conditions = await fieldFilter(
                ctx,
                6,
                { [`f_${type.toLowerCase()}`]: asked },
                sql`o.id`,
              );
              const where = conditions.length ? sql.join(conditions, sql` and `) : sql`true`;
              const found = (
                await sql<{
                  id: number;
                }>`select o.id from unnest(${objects.map((o) => o.entityId)}::bigint[]) o (id) where ${where} order by 1`.execute(
                  ctx.tx,
                )
              ).rows.map((r) => r.id);
              const read = readFilter({ type, choices }, asked);
              const expected = objects
                .filter(
                  (o) =>
                    read === null ||
                    ('filter' in read &&
                      (asked === 'is:set' || asked === 'is:empty'
                        ? asked === 'is:set'
                        : defaultMatches(read.filter, o.value ?? fieldsDefault(type)))),
                )
                .map((o) => o.entityId);
              expect(found).toEqual(expected);
            },
          ),
          {
            numRuns: 25,
            examples: [
              [[null], 'is:set'],
              [[null], 'is:empty'],
            ],
          },
        );
      }
    });
  }, 180_000);

  test('ignores blank values and unknown fields, and rejects values of the wrong type', async () => {
    const { company } = await app.createCompany();
    await within(company.id, async (ctx) => {
      await define(ctx, 1, 'number');
      expect(
        await fieldFilter(
          ctx,
          1,
          {
            f_number: ' ',
            nowhere: '3',
            other: null,
            more: ['', '  '],
            range: { min: '', max: null },
          },
          sql`n.id`,
        ),
      ).toEqual([]);
      await expect(fieldFilter(ctx, 1, { f_number: '10..many' }, sql`n.id`)).rejects.toMatchObject({
        errors: { 'eav.f_number': ['Enter a number with at most 15 digits.'] },
      });
    });
  });
});
const fieldsDefault = (type: FieldType): FieldValueType =>
  ({
    boolean: true,
    date: '2026-05-05',
    enum: 501,
    number: 10,
    phone: '+12125550150',
    stringText: 'Some words',
    stringKeyword: 'Key',
  })[type];

test('required and unique fields are enforced, one by one and in bulk', async () => {
  const { company } = await app.createCompany();
  await within(company.id, async (ctx) => {
    await define(ctx, 7, 'stringKeyword', { is_unique: true });
    await define(ctx, 7, 'number', { is_required: true });
    await setValues(ctx, 7, 1, [{ key: 'f_stringkeyword', value: 'A-1' }]);
    await setValues(ctx, 7, 1, [{ key: 'f_stringkeyword', value: 'a-1' }]);
    await expect(
      setValues(ctx, 7, 2, [{ key: 'f_stringkeyword', value: 'a-1' }]),
    ).rejects.toMatchObject({
      errors: {
        'eavAttributeValues.f_stringkeyword': ['Another contact already has this stringKeyword.'],
      },
    });
    await expect(setValues(ctx, 7, 2, [{ key: 'f_number', value: '' }])).rejects.toMatchObject({
      errors: { 'eavAttributeValues.f_number': ['Enter number.'] },
    });
    await expect(setValues(ctx, 7, 2, [], { complete: true })).rejects.toMatchObject({
      errors: { 'eavAttributeValues.f_number': ['Enter number.'] },
    });
    const wrong = await setManyValues(ctx, 7, [
      {
        entityId: 3,
        values: [
          { key: 'f_stringkeyword', value: 'B' },
          { key: 'f_number', value: 1 },
        ],
      },
      { entityId: 4, values: [{ key: 'f_stringkeyword', value: 'b' }] },
      { entityId: 5, values: [{ key: 'f_number', value: 'x' }] },
    ]);
    expect([...wrong.keys()]).toEqual([4, 5]);
    expect((await valuesOf(ctx, 7, [3, 4, 5])).get(3)!.map((v) => v.label)).toEqual(['B', '1']);
  });
});
