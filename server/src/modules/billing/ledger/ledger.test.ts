import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { systemCtx, type TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { restateEntry } from './restate-entry.ts';
import { balanceOf, insertEntry } from './store-ledger.ts';

const app = await createTestApp();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl ?? '' });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());

const within = <T>(companyId: number, work: (t: TxCtx) => Promise<T>): Promise<T> =>
  systemCtx(app.services, companyId, app.notifier).transaction(work);
const charge = (companyId: number, cause: string, amountCents: number) =>
  within(companyId, (t) =>
    insertEntry(t.tx, companyId, {
      cause,
      kind: amountCents > 0 ? 'charge' : 'credit',
      amountCents,
      currency: 'USD',
      description: 'Test',
      at: t.now,
    }),
  );
const balance = (companyId: number) => within(companyId, (t) => balanceOf(t.tx, companyId));

test('a cause is entered once, also by ten at the same time', async () => {
  const { company } = await app.createCompany();
  const made = await Promise.all(Array.from({ length: 10 }, () => charge(company.id, 'one', 3900)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await balance(company.id)).toBe(3900);
});

test('an entry can’t be changed, deleted or emptied, not by the database’s owner either', async () => {
  const { company } = await app.createCompany();
  const entry = mustBe(await charge(company.id, 'one', 3900), 'entry');
  for (const statement of [
    `update ledger_entry set amount_cents = 1 where company_id = ${company.id}`,
    `delete from ledger_entry where company_id = ${company.id}`,
    'truncate ledger_entry cascade',
  ]) {
    // Row-level security is forced on the owner as well, so the company is said.
    await owner.query(`set app.company_id = '${company.id}'`);
    await owner.query('alter table ledger_entry no force row level security');
    await expect(owner.query(statement), statement).rejects.toThrow('only added to');
    await expect(
      within(company.id, (t) => t.tx.deleteFrom('ledger_entry').execute()),
    ).rejects.toThrow('permission denied');
  }
  await owner.query('alter table ledger_entry force row level security');
  expect(await balance(company.id)).toBe(entry.amount_cents);
});

test('what was wrong is taken back by an entry of the opposite amount, once', async () => {
  const { company } = await app.createCompany();
  const entry = mustBe(await charge(company.id, 'one', 3900), 'entry');
  const right = { amountCents: 2900, reason: 'The legacy price holds' };
  for (let twice = 0; twice < 2; twice++)
    await within(company.id, (t) => restateEntry(t, entry.id, right));
  expect(await balance(company.id)).toBe(2900);
  const kinds = await app.services.db.unscoped
    .selectFrom('ledger_entry')
    .select(['kind', 'amount_cents', 'corrects_id'])
    .where('company_id', '=', company.id)
    .orderBy('id')
    .execute();
  expect(kinds).toEqual([
    { kind: 'charge', amount_cents: 3900, corrects_id: null },
    { kind: 'correction', amount_cents: -3900, corrects_id: entry.id },
    { kind: 'charge', amount_cents: 2900, corrects_id: null },
  ]);
});

test('the balance is the sum of what was entered, whatever the order', async () => {
  const { company } = await app.createCompany();
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const amounts = Array.from({ length: 60 }, () => random(20_000) - 10_000 || 1);
  await Promise.all(amounts.map((cents, i) => charge(company.id, `c${i}`, cents)));
  expect(await balance(company.id)).toBe(amounts.reduce((sum, cents) => sum + cents, 0));
});
