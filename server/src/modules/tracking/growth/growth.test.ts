import { describe, expect, it, test } from 'vitest';
import { audit, companies, tracking as contract, type Body } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { aSite, type Site } from '../../../../test/support/tracking-site.ts';
import { systemCtx } from '../../../platform/context.ts';
import { grantNumberLimit } from '../../numbers/index.ts';
import { growPools, startGrowth } from './grow-pools.ts';
import { numbersToAdd } from './rules.ts';

const app = await createTestApp();
const auto = { enabled: true, max: 20, targetUtilization: 75 };

describe('how many numbers are bought', () => {
  const busy = (peak: number, ranOut = false) => ({ peak, ranOut });
  it.each([
    ['below the target', 8, busy(6), auto, 0],
    ['just above it', 8, busy(7), auto, 2],
    ['all in use, and a visitor found none', 4, busy(2, true), auto, 2],
    ['far above: ten at a time', 8, busy(8), { ...auto, targetUtilization: 10 }, 10],
    ['never above the most', 8, busy(8), { ...auto, max: 9 }, 1],
    ['more than the most already', 8, busy(8), { ...auto, max: 4 }, 0],
    ['an empty pool without visitors', 0, busy(0), auto, 0],
  ])('%s', (_name, size, demand, settings, wanted) => {
    expect(numbersToAdd(size, demand, settings)).toBe(wanted);
  });
});

const growing = (
  size: number,
  autoScale: Partial<typeof auto> = {},
  more: Partial<Body<typeof contract.createPool>> = {},
) => aSite(app, size, { autoScale: { ...auto, ...autoScale }, areaCode: '212', ...more });
const grow = async (shop: Site) => {
  const ctx = () => systemCtx(app.services, shop.owner.companyId, app.notifier);
  // Two workers at once.
  await Promise.all([growPools(ctx()), growPools(ctx())]);
  await app.drainJobs();
};
const auditOf = async ({ owner }: Site) =>
  (
    await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: owner.companyId },
      query: { action: 'tracking_pool.grown' },
    })
  ).body.data;

test('a busy pool buys what it lacks once, with two workers, in the name of who turned that on', async () => {
  const shop = await growing(4);
  for (let i = 0; i < 4; i++) await shop.open();
  await grow(shop);
  expect((await shop.read()).size).toBe(6);
  expect((await shop.read()).growth).toEqual({
    by: expect.any(String),
    lastAt: expect.stringMatching(/^20/),
    problem: null,
  });
  // Bought ones have a while to be used first.
  await grow(shop);
  app.clock.advance(10 * 60);
  await grow(shop);
  expect((await shop.read()).size).toBe(6);
  // All six in use again: the pool grows on, to its most.
  app.clock.advance(6 * 60);
  for (let i = 0; i < 6; i++) await shop.open();
  await grow(shop);
  expect((await shop.read()).size).toBe(8);
});

test('who turned it on hears what was bought, and the audit log has it', async () => {
  const shop = await growing(2);
  for (let i = 0; i < 2; i++) await shop.open();
  await grow(shop);
  const [mail, ...more] = await app.mails(shop.owner.email);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: shop.owner.email, subject: 'Site: 1 more number' });
  expect(mail!.text).toContain(`/tracking/pools/${shop.pool.id}`);
  expect(await auditOf(shop)).toMatchObject([{ actor: { kind: 'system' } }]);
});

test('a pool that isn’t busy, is paused, or doesn’t grow, buys nothing', async () => {
  const calm = await growing(8);
  await calm.open();
  const paused = await growing(1);
  await paused.open();
  await paused.change({ status: 'paused' });
  const off = await growing(1, { enabled: false });
  await off.open();
  for (const shop of [calm, paused, off]) {
    await grow(shop);
    expect((await shop.read()).growth.lastAt).toBeNull();
    expect(await app.mails(shop.owner.email)).toEqual([]);
  }
});

test('at the company’s limit it says so once, and tries again an hour later', async () => {
  const shop = await growing(2);
  const limit = (n: number) =>
    systemCtx(app.services, shop.owner.companyId, app.notifier).transaction((t) =>
      grantNumberLimit(t, n),
    );
  await limit(3);
  const visitor = async () => (await shop.open()).body.data;
  for (let i = 0; i < 2; i++) await visitor();
  await grow(shop);
  expect((await shop.read()).growth.problem).toContain('number limit');
  app.clock.advance(61 * 60);
  for (let i = 0; i < 2; i++) await visitor();
  await grow(shop);
  expect((await app.mails(shop.owner.email)).map(({ subject }) => subject)).toEqual([
    'Site needs more numbers',
  ]);
  await limit(50);
  app.clock.advance(61 * 60);
  for (let i = 0; i < 2; i++) await visitor();
  await grow(shop);
  expect(await shop.read()).toMatchObject({ size: 3, growth: { problem: null } });
});

test('it ends with the rights of who turned it on, and goes on in the name of who does so again', async () => {
  const shop = await growing(1, { enabled: false });
  const { companyId } = shop.owner;
  const admin = await app.createPerson(companyId, 'administrator');
  const set = (who: TestPerson, enabled: boolean) =>
    app.as(who).request(contract.updatePool, {
      params: { companyId, poolId: shop.pool.id },
      body: { autoScale: { ...auto, enabled } },
    });
  expect((await set(admin, true)).status).toBe(200);
  await app.as(shop.owner).request(companies.updateCompanyUser, {
    params: { companyId, userId: admin.id },
    body: { role: 'user' },
  });
  await shop.open();
  await grow(shop);
  expect(await shop.read()).toMatchObject({
    size: 1,
    growth: { problem: expect.stringContaining('can’t buy numbers anymore') },
  });
  await set(shop.owner, false);
  await set(shop.owner, true);
  await grow(shop);
  expect(await shop.read()).toMatchObject({ size: 2, growth: { problem: null } });
});

test('the clock finds the companies, and another company’s pool stays as it is', async () => {
  const [shop, other] = [await growing(1), await growing(1)];
  await shop.open();
  await startGrowth(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
  expect((await shop.read()).size).toBe(2);
  expect((await other.read()).size).toBe(1);
});
