import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { companies, endpoints } from '#contract';
import { request } from './example-request.ts';
import { aWorld } from './world.ts';

/** Two walls stand between companies: the gate's check and row-level security. Each holds with the other out of the way. */
const world = await aWorld();
const q = async <R>(text: string) => (await world.house.db.pool.query(text)).rows as R[];

describe('the second wall', () => {
  test('inside one company’s transaction another company’s rows are neither seen nor written', async () => {
    const a = await world.company();
    const b = await world.company();
    const { db } = world.house;
    const seen = await db.within({ companyId: a.company.id }, (tx) => tx.selectFrom('membership').select('company_id').execute());
    expect(new Set(seen.map((r) => r.company_id))).toEqual(new Set([a.company.id]));
    expect((await db.within({ companyId: a.company.id }, (tx) => tx.updateTable('company').set({ name: 'Taken' }).where('id', '=', b.company.id).executeTakeFirst())).numUpdatedRows).toBe(0n);
    await expect(db.within({ companyId: a.company.id }, (tx) => tx.insertInto('membership').values({ company_id: b.company.id, user_id: a.owner.id, role: 'user', number_ids: sql`'{}'` as never }).execute())).rejects.toThrow(/row-level security/);
  });

  test('without a company nothing of any company is visible', async () => {
    const rows = await world.house.db.within({}, (tx) => tx.selectFrom('membership').selectAll().execute());
    expect(rows).toEqual([]);
  });
});

describe('the first wall', () => {
  test('holds by itself: with row-level security off, the gate still answers 404', async () => {
    const a = await world.company();
    const b = await world.company();
    const { default: pg } = await import('pg');
    const owner = new pg.Client({ connectionString: world.house.settings.databaseUrl! });
    await owner.connect();
    const db = world.house.db.directory;
    const tables = await q<{ t: string }>(`select c.relname t from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relrowsecurity`);
    for (const { t } of tables) await owner.query(`alter table "${t}" disable row level security`);
    try {
      // Every endpoint that names a company: the foreign one answers like one that is nowhere, and nothing is written there.
      const before = await db.selectFrom('outbox').select((e) => e.fn.countAll().as('n')).where('company_id', '=', b.company.id).executeTakeFirstOrThrow();
      for (const e of endpoints.filter((one) => one.permission !== 'public' && ['path', 'given', 'object'].includes(one.company))) {
        const foreign = await world.as(a.owner).raw(request(e, b.company.id));
        expect(foreign.status, `${e.method} ${e.path}`).toBe(404);
      }
      const after = await db.selectFrom('outbox').select((e) => e.fn.countAll().as('n')).where('company_id', '=', b.company.id).executeTakeFirstOrThrow();
      expect(after.n).toBe(before.n);
    } finally {
      for (const { t } of tables) await owner.query(`alter table "${t}" enable row level security`);
      await owner.end();
    }
  });
});

test('the audit log cannot be changed or emptied by the application', async () => {
  const { company, owner } = await world.company();
  await world.as(owner).ask(companies.updateCompany, { params: { id: company.id }, body: { name: 'Audited' } });
  const { db } = world.house;
  const rows = await db.within({ companyId: company.id }, (tx) => tx.selectFrom('audit_log').selectAll().execute());
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ action: 'company.updated', actor_id: owner.id, after: { name: 'Audited' } });
  await expect(db.within({ companyId: company.id }, (tx) => tx.updateTable('audit_log').set({ action: 'x' }).execute())).rejects.toThrow(/permission denied/);
  await expect(db.within({ companyId: company.id }, (tx) => tx.deleteFrom('audit_log').execute())).rejects.toThrow(/permission denied/);
});
