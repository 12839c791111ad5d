import { expect, test } from 'vitest';
import { compliance as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber } from '../numbers/index.ts';
import { isBlocked } from './is-blocked.ts';

const app = await createTestApp();
let line = 200;
const number = (companyId: number) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1415555${String(line++).padStart(4, '0')}` }),
  );
const add = (who: TestPerson, body: Record<string, unknown>) =>
  app.as(who).request(contract.addBlock, { body: { company_id: who.companyId, ...body } } as never);
const list = async (who: TestPerson, query: Record<string, unknown> = {}) =>
  (await app.as(who).request(contract.listBlocks, { params: { companyId: who.companyId }, query }))
    .body;
const blocked = (companyId: number, numberId: number, from: string) =>
  app.services.db.transaction({ companyId }, (tx) => isBlocked(tx, companyId, numberId, from));

test('a block rejects a caller until it is removed; the list has its documented shape', async () => {
  const { company, owner } = await app.createCompany();
  const ours = await number(company.id);
  const made = await add(owner, { target: '(212) 555-0147' });
  expect(made).toMatchObject({
    status: 201,
    body: {
      data: {
        target: '+12125550147',
        action: 1,
        global: false,
        number_id: null,
        company_id: company.id,
        created_by: { id: owner.id },
      },
    },
  });
  expect((await add(owner, { target: '+12125550147' })).status).toBe(409);
  expect(await blocked(company.id, ours, '+12125550147')).toBe(true);
  for (let i = 0; i < 11; i++)
    await add(owner, { target: `+1900555${String(i).padStart(4, '0')}` });
  const page = await list(owner);
  expect([page.data.length, page.total, page.last_page, page.current_page, page.per_page]).toEqual([
    10, 12, 2, 1, 10,
  ]);
  expect((await list(owner, { search: '(212) 555' })).total).toBe(1);
  expect(
    (await app.as(owner).request(contract.removeBlock, { params: { id: made.body.data.id } }))
      .status,
  ).toBe(204);
  expect(
    (await app.as(owner).request(contract.removeBlock, { params: { id: made.body.data.id } }))
      .status,
  ).toBe(404);
  expect(await blocked(company.id, ours, '+12125550147')).toBe(false);
});

test('prefixes, anonymous callers and exceptions are matched', async () => {
  const { company, owner } = await app.createCompany();
  const ours = await number(company.id);
  await add(owner, { target: '+1900*' });
  await add(owner, { target: 'anonymous' });
  await add(owner, { target: '+19005550199', action: 0 });
  expect([
    await blocked(company.id, ours, '+19005550101'),
    await blocked(company.id, ours, '+19005550199'),
    await blocked(company.id, ours, 'anonymous'),
    await blocked(company.id, ours, '+12125550147'),
  ]).toEqual([true, false, true, false]);
  expect((await add(owner, { target: 'not a number' })).status).toBe(422);
  for (const target of ['+1*', '+190*'])
    expect((await add(owner, { target })).status, target).toBe(422);
  expect((await add(owner, { target: '+44*' })).status).toBe(201);
  const other = await app.createCompany();
  const foreign = await number(other.company.id);
  for (const number_id of [999, foreign]) {
    expect((await add(owner, { target: '+12125550147', number_id })).status).toBe(404);
  }
});

test('a company does not block its own numbers', async () => {
  const { company, owner } = await app.createCompany();
  await number(company.id);
  const own = `+1415555${String(line - 1).padStart(4, '0')}`;
  const refused = await add(owner, { target: own });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'block.own_number', message: expect.stringContaining('one of your own numbers') },
  });
  expect([
    (await list(owner)).total,
    (await add(owner, { target: own, action: 0 })).status,
  ]).toEqual([0, 201]);
});

test('platform-wide rules are for staff only, and apply to every company', async () => {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const theirs = await number(b.company.id);
  expect((await add(a.owner, { target: '+19005550000', global: true })).status).toBe(403);
  const staff = await app.createStaff();
  const made = await app.as(staff).request(contract.addBlock, {
    body: { company_id: a.company.id, target: '+19005550000', global: true },
    headers: { isadmin: '1' },
  });
  expect(made.status).toBe(201);
  expect(await blocked(b.company.id, theirs, '+19005550000')).toBe(true);
  expect(
    (await app.as(a.owner).request(contract.removeBlock, { params: { id: made.body.data.id } }))
      .status,
  ).toBe(403);
  expect((await list(b.owner)).total).toBe(0);
});

test('users limited to some numbers add and remove rules for those only', async () => {
  const { company, owner } = await app.createCompany();
  const [mine, other] = [await number(company.id), await number(company.id)];
  const user = await app.createPerson(company.id, 'user', [mine]);
  expect((await add(user, { target: '+12125550101' })).status).toBe(403);
  expect((await add(user, { target: '+12125550101', number_id: other })).status).toBe(403);
  expect((await add(user, { target: '+12125550101', number_id: mine })).status).toBe(201);
  const hidden = await add(owner, { target: '+12125550102', number_id: other });
  const wide = await add(owner, { target: '+12125550103' });
  expect((await list(user)).data.map((b) => b.target).sort()).toEqual([
    '+12125550101',
    '+12125550103',
  ]);
  expect(
    (await app.as(user).request(contract.removeBlock, { params: { id: hidden.body.data.id } }))
      .status,
  ).toBe(404);
  expect(
    (await app.as(user).request(contract.removeBlock, { params: { id: wide.body.data.id } }))
      .status,
  ).toBe(403);
});
