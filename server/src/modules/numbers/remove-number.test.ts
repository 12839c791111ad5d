import { describe, expect, it } from 'vitest';
import { numbers as contract, routing, tracking } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { jobs } from './jobs.ts';

const app = await createTestApp();
let line = 1000;
const aNumber = async (owner: TestPerson) =>
  (
    (await app.as(owner).request(contract.buyNumbers, { body: { numbers: [`+1312555${line++}`] } }))
      .body as { data: contract.NumberDetail[] }
  ).data[0]!;
const remove = (person: TestPerson, id: number, body: object = {}) =>
  app.as(person).request(contract.removeNumber, { params: { id }, body: body });
const giveBack = (companyId: number, numberId: number) =>
  jobs
    .find((j) => j.name === 'numbers.release')!
    .handler(systemCtx(app.services, companyId, app.notifier), { companyId, numberId } as never, {
      number: 1,
      last: false,
    });
const events = async (companyId: number) =>
  (
    await app.services.db.pool.query(
      `select event from outbox where company_id = $1 and event like 'number.%' order by id`,
      [companyId],
    )
  ).rows.map((r) => r.event as string);

describe('releasing a number', () => {
  it('stops it immediately, shows when it returns, and no longer counts toward the limit', async () => {
    const { owner, company } = await app.createCompany();
    const number = await aNumber(owner);
    const { status, body } = await remove(owner, number.id, { reason: 'Old campaign' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'releasing', next_renewal_at: null });
    expect(
      new Date(body.data.returns_at!).getTime() - new Date(body.data.releasing_at!).getTime(),
    ).toBe(72 * 3_600_000);
    expect((await remove(owner, number.id)).body.data.returns_at).toBe(body.data.returns_at);
    expect((await app.as(owner).request(contract.numberLimit)).body.data.used).toBe(0);
    expect(await events(company.id)).toEqual(['number.purchased', 'number.releasing']);
  });
  it('can be undone for 72 hours', async () => {
    const { owner, company } = await app.createCompany();
    const number = await aNumber(owner);
    expect((await remove(owner, number.id, { undo: true })).body).toMatchObject({
      code: 'numbers.not_releasing',
    });
    await remove(owner, number.id);
    expect((await remove(owner, number.id, { undo: true })).body.data).toMatchObject({
      status: 'active',
      returns_at: null,
    });
    await giveBack(company.id, number.id); // the job of the undone release does nothing
    await remove(owner, number.id);
    app.clock.advance(72 * 3600 + 1);
    expect((await remove(owner, number.id, { undo: true })).status).toBe(409);
  });
  it('can’t be undone beyond the limit', async () => {
    const { owner, company } = await app.createCompany();
    const number = await aNumber(owner);
    await remove(owner, number.id);
    await app.services.db.pool.query(
      'update number_limit set max_numbers = 1 where company_id = $1',
      [company.id],
    );
    await aNumber(owner);
    expect((await remove(owner, number.id, { undo: true })).body).toMatchObject({
      code: 'numbers.limit',
    });
  });
  it('returns to the carrier once when due, and can then be bought again', async () => {
    const { owner, company } = await app.createCompany();
    const number = await aNumber(owner);
    await remove(owner, number.id);
    await giveBack(company.id, number.id);
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: number.id } })).body.data
        .status,
    ).toBe('releasing');
    app.clock.advance(72 * 3600 + 1);
    for (let twice = 0; twice < 2; twice++) await giveBack(company.id, number.id);
    expect(await events(company.id)).toEqual([
      'number.purchased',
      'number.releasing',
      'number.released',
    ]);
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: number.id } })).status,
    ).toBe(404);
    const listed = async (who: TestPerson, query: object) =>
      app
        .as(who)
        .request(contract.listNumbersDatatable, { query: { companyId: company.id, ...query } });
    for (const query of [{ withTrashed: 1 }, { withTrashed: 1, search: number.number.slice(-7) }])
      expect((await listed(owner, query)).body.data.map((n) => [n.id, n.status])).toEqual([
        [number.id, 'released'],
      ]);
    expect([
      (await listed(owner, {})).body.meta.total,
      (await listed(await app.createPerson(company.id, 'user'), { withTrashed: 1 })).status,
    ]).toEqual([0, 403]);
    const { owner: other } = await app.createCompany();
    expect(
      (await app.as(other).request(contract.buyNumbers, { body: { numbers: [number.number] } }))
        .status,
    ).toBe(201);
  });
  it('a number of a tracking pool can’t be released', async () => {
    const { owner, company } = await app.createCompany();
    const number = await aNumber(owner);
    await app.as(owner).request(tracking.createPool, {
      params: { companyId: company.id },
      body: { name: 'Website', numberIds: [number.id] },
    });
    expect((await remove(owner, number.id)).body).toMatchObject({ code: 'number.in_pool' });
  });
  it('another company’s number is not found, and roles that may not buy may not release', async () => {
    const { owner, company } = await app.createCompany();
    const { owner: other } = await app.createCompany();
    const number = await aNumber(owner);
    expect((await remove(other, number.id)).status).toBe(404);
    for (const role of ['user', 'reporting', 'billing'] as const)
      expect((await remove(await app.createPerson(company.id, role), number.id)).status, role).toBe(
        403,
      );
  });
});
