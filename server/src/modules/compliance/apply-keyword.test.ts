import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { lockOptOut, optedOutNumbers, optIn, optOut } from '../contacts/index.ts';
import { applyKeyword } from './apply-keyword.ts';

const app = await createTestApp();
const ctx = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const phone = '+12125550147';
const asked = { number: phone, source: 'manual' as const, numberId: null, proof: null };
const history = (companyId: number) =>
  app.services.db.transaction({ companyId }, (tx) =>
    tx
      .selectFrom('opt_out_history')
      .select(['action', 'source', 'proof'])
      .where('company_id', '=', companyId)
      .orderBy('id')
      .execute(),
  );

test('STOP waits for a send decision under way, and later send decisions see the opt-out', async () => {
  const { company } = await app.createCompany();
  const order: string[] = [];
  let letGo = () => {};
  const mayFinish = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const looked = new Promise<void>((seen) => {
    void ctx(company.id).transaction(async (t) => {
      await lockOptOut(t.tx, t.companyId, phone, 'to_send');
      expect((await optedOutNumbers(t.tx, t.companyId, [phone])).size).toBe(0);
      seen();
      await mayFinish;
      order.push('sent');
    });
  });
  await looked;
  const stopped = ctx(company.id)
    .transaction((t) => applyKeyword(t, { from: phone, numberId: 1, text: 'STOP' }))
    .then(() => order.push('stopped'));
  // The lock is granted in the order of requests: start the next one only once the previous one is
  // queued.
  const standing = async () =>
    (
      await app.services.db.pool.query<{ n: number }>(
        `select count(*)::int n from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      )
    ).rows[0]!.n;
  await expect.poll(standing).toBe(1);
  const second = ctx(company.id).transaction(async (t) => {
    await lockOptOut(t.tx, t.companyId, phone, 'to_send');
    order.push(
      (await optedOutNumbers(t.tx, t.companyId, [phone])).size ? 'not sent' : 'sent too late',
    );
  });
  await expect.poll(standing).toBe(2);
  expect(order).toEqual([]);
  letGo();
  await Promise.all([stopped, second]);
  expect(order[0]).toBe('sent');
  expect([...order].sort()).toEqual(['not sent', 'sent', 'stopped']);
});

test('the history keeps every opt-out and opt-in request, and is append-only', async () => {
  const { company } = await app.createCompany();
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
    app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx.updateTable('opt_out_history').set({ action: 'in' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
  await expect(
    app.services.db.systemTransaction((tx) => tx.deleteFrom('opt_out_history').execute()),
  ).rejects.toThrow(/permission denied/);
});
