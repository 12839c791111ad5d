import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import { systemCtx } from '../../../platform/context.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { trackedSite } from '../../../../test/support/tracking-site.ts';
import { provisionNumber } from '../../numbers/index.ts';
import { replaceRotatedNumber } from '../pools/change-members.ts';
import { rememberSetups, setupsOf } from './known-setups.ts';

const app = await createTestApp();
/** The memory of a web process. */
const aProcess = () => {
  const server = Fastify();
  rememberSetups(server);
  return setupsOf(server);
};
const processes = [aProcess(), aProcess()];
const setups = async (companyId: number) => {
  const [one, other] = await app.services.db.transaction({ companyId }, (tx) => {
    const scope = { tx, companyId, now: app.services.now() };
    return Promise.all(processes.map((each) => each.of(scope)));
  });
  expect(one).toEqual(other);
  return one!;
};

it('what a visit needs is read once, and again after any change of it, by every process', async () => {
  const shop = await trackedSite(app, 2);
  const neighbor = await trackedSite(app, 1);
  const { companyId } = shop.owner;
  const params = { companyId, poolId: shop.pool.id };
  const ask = app.as(shop.owner);
  const change = (body: object) => ask.request(contract.updatePool, { params, body });
  let before = await setups(companyId);
  const changed = async (what: string) => {
    const after = await setups(companyId);
    expect(after, what).not.toBe(before);
    expect(await setups(companyId), `${what}, then nothing`).toBe(after);
    return (before = after);
  };
  const numbers = () => before.candidates[0]!.numbers;
  expect(await setups(companyId)).toBe(before);

  // Visits, and changes of another company, change nothing.
  await shop.open();
  await app.as(neighbor.owner).request(contract.updatePool, {
    params: { companyId: neighbor.owner.companyId, poolId: neighbor.pool.id },
    body: { name: 'Theirs' },
  });
  expect(await setups(companyId)).toBe(before);

  await change({ domains: ['shop.example', 'other.example'] });
  expect((await changed('domains')).candidates[0]!.settings.domains).toContain('other.example');
  await change({ status: 'paused' });
  expect((await changed('status')).candidates[0]!.status).toBe('paused');

  const [first] = shop.pool.numbers;
  await change({ removeNumberIds: [first!.id] });
  await changed('a number taken out');
  expect(numbers()).toEqual([shop.pool.numbers[1]!.number]);
  await change({ addNumberIds: [first!.id] });
  await changed('a number moved in');
  expect(numbers()).toHaveLength(2);
  const ctx = systemCtx(app.services, companyId, app.notifier);
  await ctx.transaction(async (t) => {
    const number = '+16315550001';
    const newNumberId = await provisionNumber(t, { number });
    await replaceRotatedNumber(t, {
      companyId,
      numberId: first!.id,
      number: first!.number,
      newNumberId,
      newNumber: number,
      forwardUntil: t.now.toISOString(),
    });
  });
  await changed('a number replaced');
  expect(numbers()).toContain('+16315550001');

  const source = async (label: string) =>
    (
      await ask.request(contract.createSource, {
        params: { companyId },
        body: { label, kind: 'online', group: 'other' },
      })
    ).body.data.id;
  const [mailer, poster] = [await source('Mailer'), await source('Poster')];
  expect((await changed('a source')).sources.map(({ label }) => label)).toEqual([
    'Mailer',
    'Poster',
  ]);
  await ask.request(contract.updateSource, {
    params: { companyId, sourceId: mailer },
    body: { rules: [{ on: 'url', match: 'contains', value: '/spring' }] },
  });
  expect((await changed('a rule')).sources[0]!.rules).toHaveLength(1);
  await ask.request(contract.orderSources, {
    params: { companyId },
    body: { sourceIds: [poster, mailer] },
  });
  expect((await changed('an order')).sources[0]!.label).toBe('Poster');
  await ask.request(contract.deleteSource, { params: { companyId, sourceId: poster } });
  expect((await changed('a source deleted')).sources).toHaveLength(1);

  await ask.request(contract.deletePool, { params, query: { confirm: true } });
  expect((await changed('a pool deleted')).candidates).toEqual([]);
});
