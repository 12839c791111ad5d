import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { analyzeAs, withoutAutovacuum } from '../../test/support/query-plans.ts';
import { createTestApp } from '../../test/support/test-app.ts';
import { analyzeForNewCompanies } from './statistics.ts';

const app = await createTestApp();
const { db } = app.services;

const addContacts = (companyId: number, from: number, to: number) =>
  db.systemTransaction((tx) =>
    sql`insert into contact (company_id, id, number) select ${companyId}, n, '+1' || (2120000000 + n)
      from generate_series(${from}::int, ${to}::int) n`.execute(tx),
  );
/** How many rows the planner takes this company to have. */
const estimated = (companyId: number): Promise<number> =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select from contact
      where company_id = ${sql.lit(companyId)}`.execute(tx);
    return Number(/rows=(\d+)/.exec(rows[0]!['QUERY PLAN'])?.[1]);
  });

test('a company that has grown is known to the statistics', async () => {
  const [early, late, small] = [
    (await app.createCompany()).company,
    (await app.createCompany()).company,
    (await app.createCompany()).company,
  ];
  await withoutAutovacuum(app, ['contact']);
  await addContacts(early.id, 1, 3000);
  await analyzeAs(app, ['contact']);
  await addContacts(late.id, 1, 1000);
  await addContacts(small.id, 1, 50);
  expect(await estimated(late.id)).toBe(1);

  await db.pool.query(
    `select enqueue_job('statistics.knowCompanies', '{}', null, null, 1, null, null)`,
  );
  await app.drainJobs();
  expect(await estimated(late.id)).toBeGreaterThan(500);
  expect(await estimated(early.id)).toBeGreaterThan(2000);

  // Nothing has changed, and fifty rows more are read quickly by any plan.
  await addContacts(small.id, 51, 100);
  expect(await analyzeForNewCompanies(db.unscoped)).toEqual([]);
});

test('a table that was never analyzed is, once a company has many rows in it', async () => {
  const { company } = await app.createCompany();
  await withoutAutovacuum(app, ['opt_out']);
  await db.systemTransaction((tx) =>
    sql`insert into opt_out (company_id, number, source, opted_out_at)
      select ${company.id}, '+1' || (2120000000 + n), 'import', now()
      from generate_series(1, 300) n`.execute(tx),
  );
  expect(await analyzeForNewCompanies(db.unscoped)).toContain('opt_out');
  expect(await analyzeForNewCompanies(db.unscoped)).toEqual([]);
});
