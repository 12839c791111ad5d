import { expect, test } from 'vitest';
import { aWorld } from '../../../test/world.ts';
import { systemCtx } from '../../platform/context.ts';
import { holdLedger, optedOutAmong, optIn, optOut } from '../contacts/index.ts';
import { hearKeyword } from './opt-out.ts';

const world = await aWorld();
const ctx = (companyId: number) => systemCtx(world.house, companyId, world.said);
const phone = '+12125550147';
const asked = { number: phone, source: 'manual' as const, numberId: null, proof: null };
const history = (companyId: number) =>
  world.house.db.within({ companyId }, (tx) =>
    tx
      .selectFrom('opt_out_history')
      .select(['action', 'source', 'proof'])
      .where('company_id', '=', companyId)
      .orderBy('id')
      .execute(),
  );

test('a STOP waits for whoever is deciding to send, and whoever decides after it sees it', async () => {
  const { company } = await world.company();
  const order: string[] = [];
  let letGo = () => {};
  const mayFinish = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const looked = new Promise<void>((seen) => {
    void ctx(company.id).transaction(async (t) => {
      await holdLedger(t.tx, t.companyId, phone, 'to_send');
      expect((await optedOutAmong(t.tx, t.companyId, [phone])).size).toBe(0);
      seen();
      await mayFinish;
      order.push('sent');
    });
  });
  await looked;
  const stopped = ctx(company.id)
    .transaction((t) => hearKeyword(t, { from: phone, numberId: 1, text: 'STOP' }))
    .then(() => order.push('stopped'));
  // Whoever asks for the line first has it first: nobody asks before the one ahead stands there.
  const standing = async () =>
    (
      await world.house.db.pool.query<{ n: number }>(
        `select count(*)::int n from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      )
    ).rows[0]!.n;
  await expect.poll(standing).toBe(1);
  const second = ctx(company.id).transaction(async (t) => {
    await holdLedger(t.tx, t.companyId, phone, 'to_send');
    order.push(
      (await optedOutAmong(t.tx, t.companyId, [phone])).size ? 'not sent' : 'sent too late',
    );
  });
  await expect.poll(standing).toBe(2);
  expect(order).toEqual([]);
  letGo();
  await Promise.all([stopped, second]);
  expect(order[0]).toBe('sent');
  expect([...order].sort()).toEqual(['not sent', 'sent', 'stopped']);
});

test('the history keeps every asking, and nobody can change it', async () => {
  const { company } = await world.company();
  expect(await ctx(company.id).transaction((t) => optOut(t, asked))).toBe(true);
  expect(
    await ctx(company.id).transaction((t) =>
      optOut(t, { ...asked, source: 'complaint', proof: 'called us' }),
    ),
  ).toBe(false);
  expect(await ctx(company.id).transaction((t) => optIn(t, asked))).toBe(true);
  expect(await ctx(company.id).transaction((t) => optIn(t, asked))).toBe(false);
  expect(await history(company.id)).toEqual([
    { action: 'out', source: 'manual', proof: null },
    { action: 'out', source: 'complaint', proof: 'called us' },
    { action: 'in', source: 'manual', proof: null },
  ]);
  await expect(
    world.house.db.within({ companyId: company.id }, (tx) =>
      tx.updateTable('opt_out_history').set({ action: 'in' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
  await expect(
    world.house.db.system((tx) => tx.deleteFrom('opt_out_history').execute()),
  ).rejects.toThrow(/permission denied/);
});
