import { describe, expect, test } from 'vitest';
import { fields as contract, numbers, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { grantNumberLimit, provisionNumber } from '../../numbers/index.ts';

const app = await createTestApp();
let line = 100;
const aNumber = (owner: TestPerson) =>
  systemCtx(app.services, owner.companyId, app.notifier).transaction(async (t) => {
    await grantNumberLimit(t, 50);
    return provisionNumber(t, { number: `+1628555${4000 + line++}` });
  }) as Promise<number>;
const params = (who: TestPerson) => ({ companyId: who.companyId });
const create = (who: TestPerson, tags: unknown[], more: object = {}) =>
  app
    .as(who)
    .request(contract.createTags, { params: params(who), body: { tags, ...more } as never });
const update = (who: TestPerson, tags: unknown[]) =>
  app.as(who).request(contract.updateTags, { params: params(who), body: { tags } as never });
const list = async (who: TestPerson, query: object = {}) =>
  (await app.as(who).request(contract.listTags, { params: params(who), query: query })).body.data;
const tagNumber = (who: TestPerson, id: number, tags: string[]) =>
  app.as(who).request(routing.updateNumber, { params: { id }, body: { tags } });
const tagsOfNumber = async (who: TestPerson, id: number) =>
  (await app.as(who).request(routing.getNumber, { params: { id } })).body.data.tags.map(
    (t) => t.name,
  );

describe('tags', () => {
  test('count their uses, are renamed everywhere, and have unique names', async () => {
    const { owner } = await app.createCompany();
    const id = await aNumber(owner);
    const made = (await create(owner, ['Sales', { name: 'Parts', color: 'pink' }])).body.data;
    expect(made.map((t) => [t.name, t.usage_count, t.scope])).toEqual([
      ['Parts', 0, 'company'],
      ['Sales', 0, 'company'],
    ]);
    await tagNumber(owner, id, ['sales']);
    expect(
      (await list(owner, { sort: 'usage_count', dir: 'desc' })).map((t) => [
        t.name,
        t.uses.numbers,
      ]),
    ).toEqual([
      ['Sales', 1],
      ['Parts', 0],
    ]);
    const sales = made.find((t) => t.name === 'Sales')!;
    expect(
      (await update(owner, [{ id: sales.id, name: 'Showroom', color: 'red' }])).body.data,
    ).toMatchObject([{ name: 'Showroom', color: 'red', usage_count: 1 }]);
    expect(await tagsOfNumber(owner, id)).toEqual(['Showroom']);
    expect((await update(owner, [{ id: sales.id, name: 'PARTS' }])).body).toMatchObject({
      code: 'tag.exists',
      message: 'Another tag is named Parts. Merge the two, or choose a different name.',
    });
    expect((await create(owner, ['parts'])).status).toBe(409);
    expect((await list(owner, { search: 'show' })).length).toBe(1);
  });

  test('are merged on all objects that have either', async () => {
    const { owner } = await app.createCompany();
    const [first, second] = [await aNumber(owner), await aNumber(owner)];
    await tagNumber(owner, first, ['Lead', 'Leads']);
    await tagNumber(owner, second, ['Leads']);
    const tags = await list(owner);
    await update(owner, [
      {
        id: tags.find((t) => t.name === 'Leads')!.id,
        merge_into: tags.find((t) => t.name === 'Lead')!.id,
      },
    ]);
    expect([await tagsOfNumber(owner, first), await tagsOfNumber(owner, second)]).toEqual([
      ['Lead'],
      ['Lead'],
    ]);
    expect((await list(owner)).map((t) => [t.name, t.usage_count])).toEqual([['Lead', 2]]);
    expect(
      (await app.as(owner).request(numbers.listNumbersDatatable, { query: { tag: 'lead' } })).body
        .meta.total,
    ).toBe(2);
  });

  test('are removed from all objects when deleted, and restored on all of them', async () => {
    const { owner } = await app.createCompany();
    const id = await aNumber(owner);
    await tagNumber(owner, id, ['Old']);
    const [tag] = await list(owner);
    expect(
      (
        await app.as(owner).request(contract.deleteTags, {
          params: params(owner),
          query: {},
          body: { ids: [tag!.id] },
        })
      ).status,
    ).toBe(204);
    expect([
      await list(owner),
      await tagsOfNumber(owner, id),
      (await app.as(owner).request(numbers.listNumbersDatatable, { query: { tag: 'Old' } })).body
        .meta.total,
    ]).toEqual([[], [], 0]);
    expect((await update(owner, [{ id: tag!.id, name: 'x' }])).status).toBe(404);
    await update(owner, [{ id: tag!.id, restore: true }]);
    expect([(await list(owner)).map((t) => t.usage_count), await tagsOfNumber(owner, id)]).toEqual([
      [1],
      ['Old'],
    ]);
    await app.as(owner).request(contract.deleteTags, {
      params: params(owner),
      query: { ids: [tag!.id] },
      body: {},
    });
    await create(owner, ['Old']);
    expect((await update(owner, [{ id: tag!.id, restore: true }])).body).toMatchObject({
      code: 'tag.exists',
    });
  });

  test('can be seen but not changed by users', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    await create(owner, ['A']);
    expect([(await list(user)).length, (await create(user, ['B'])).status]).toEqual([1, 403]);
  });

  test('of an organization exist in all its companies and follow its changes', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    await create(b.owner, ['vip']);
    const organizationId = await app.services.db.systemTransaction(async (tx) => {
      const { id } = await tx
        .insertInto('organization')
        .values({ name: 'Group', slug: `t-${a.company.id}` })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('company')
        .set({ organization_id: id })
        .where('id', 'in', [a.company.id, b.company.id])
        .execute();
      return id;
    });
    const admin = { ...(await app.createPerson(a.company.id, 'user')) };
    await app.services.db.systemTransaction(async (tx) => {
      await tx
        .insertInto('organization_admin')
        .values({ organization_id: organizationId, user_id: admin.id })
        .execute();
      await tx.deleteFrom('membership').where('user_id', '=', admin.id).execute();
    });
    expect((await create(a.owner, ['VIP'], { businessUnitId: organizationId })).status).toBe(403);
    const [tag] = (
      await create(admin, [{ name: 'VIP', color: 'red' }], { businessUnitId: organizationId })
    ).body.data;
    await app.drainJobs();
    expect((await list(b.owner)).map((t) => [t.name, t.color, t.scope])).toEqual([
      ['VIP', 'red', 'organization'],
    ]);
    await update(admin, [{ id: tag!.id, name: 'Regular' }]);
    await app.drainJobs();
    expect((await list(b.owner)).map((t) => t.name)).toEqual(['Regular']);
    expect(
      (await update(b.owner, [{ id: (await list(b.owner))[0]!.id, name: 'Mine' }])).status,
    ).toBe(403);
    expect(
      (
        await app.as(admin).request(contract.deleteTags, {
          params: params(admin),
          query: {},
          body: { ids: [tag!.id], businessUnitId: organizationId },
        })
      ).status,
    ).toBe(204);
    await app.drainJobs();
    expect([await list(a.owner), (await list(b.owner)).map((t) => [t.name, t.scope])]).toEqual([
      [],
      [['Regular', 'company']],
    ]);
  });
});
