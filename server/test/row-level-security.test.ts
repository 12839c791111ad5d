import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { companies } from '#contract';
import { openDb } from '../src/platform/db.ts';
import { createFixturePasskey } from './support/fixture-passkey.ts';
import { createTestApp } from './support/test-app.ts';

/**
 * What the schema must do for row-level security; that each layer holds alone is in
 * `tenant-isolation.test.ts`.
 */
const app = await createTestApp();

describe('row-level security', () => {
  test('inside one company’s transaction another company’s rows are neither visible nor writable', async () => {
    const a = await app.createCompany();
    const b = await app.createCompany();
    const { db } = app.services;
    const seen = await db.transaction({ companyId: a.company.id }, (tx) =>
      tx.selectFrom('membership').select('company_id').execute(),
    );
    expect(new Set(seen.map((r) => r.company_id))).toEqual(new Set([a.company.id]));
    expect(
      (
        await db.transaction({ companyId: a.company.id }, (tx) =>
          tx
            .updateTable('company')
            .set({ name: 'Taken' })
            .where('id', '=', b.company.id)
            .executeTakeFirst(),
        )
      ).numUpdatedRows,
    ).toBe(0n);
    await expect(
      db.transaction({ companyId: a.company.id }, (tx) =>
        tx
          .insertInto('membership')
          .values({
            company_id: b.company.id,
            user_id: a.owner.id,
            role: 'user',
            number_ids: sql`'{}'`,
          })
          .execute(),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test('without a company nothing of any company is visible', async () => {
    const rows = await app.services.db.transaction({}, (tx) =>
      tx.selectFrom('membership').selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });
});

describe('reading without a transaction', () => {
  test('companies that take turns on one connection see their own rows', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const db = openDb(app.services.settings.databaseUrl!, app.services.log, { size: 1 });
    try {
      const seen = (companyId: number | null) =>
        db
          .readOnly({ companyId }, (tx) =>
            tx.selectFrom('membership').select('company_id').distinct().execute(),
          )
          .then((rows) => rows.map((row) => row.company_id));
      for (const { company } of [a, b, a]) expect(await seen(company.id)).toEqual([company.id]);
      expect(await seen(null)).toEqual([]);
      // A transaction in between, committed or rolled back, leaves the reader's scope unchanged.
      await seen(a.company.id);
      const boom = () => Promise.reject(new Error('boom'));
      await expect(db.transaction({ companyId: b.company.id }, boom)).rejects.toThrow('boom');
      await db.transaction({ companyId: b.company.id }, (tx) =>
        tx.selectFrom('membership').select('company_id').execute(),
      );
      expect(await seen(a.company.id)).toEqual([a.company.id]);
    } finally {
      await db.close();
    }
  });

  test('it cannot write', async () => {
    const { company } = await app.createCompany();
    const writing = app.services.db.readOnly({ companyId: company.id }, (tx) =>
      tx.updateTable('company').set({ name: 'Changed' }).where('id', '=', company.id).execute(),
    );
    await expect(writing).rejects.toThrow(/read-only transaction/);
  });

  test('a reading request cancels a statement after its limit, on a connection that jobs used', async () => {
    const { company } = await app.createCompany();
    const db = openDb(app.services.settings.databaseUrl!, app.services.log, {
      size: 1,
      statementMs: 200,
    });
    try {
      const slow = (from: typeof db) =>
        from.readOnly({ companyId: company.id }, (tx) => sql`select pg_sleep(0.5)`.execute(tx));
      await slow(db);
      await expect(slow(db.forRequests)).rejects.toThrow(/statement timeout/);
      await slow(db);
      await db.transaction({ companyId: company.id }, (tx) =>
        sql`select pg_sleep(0.3)`.execute(tx),
      );
    } finally {
      await db.close();
    }
  });
});

describe('what belongs to a person', () => {
  const tables = ['passkey', 'mfa_factor', 'recovery_code', 'session', 'push_device'] as const;
  const plant = async (personId: number) => {
    const { unscoped } = app.services.db;
    await createFixturePasskey(app, personId);
    const mine = { person_id: personId };
    await unscoped
      .insertInto('mfa_factor')
      .values({ ...mine, kind: 'totp' })
      .execute();
    await unscoped
      .insertInto('recovery_code')
      .values({ ...mine, hash: `hash-${personId}` })
      .execute();
    await unscoped
      .insertInto('push_device')
      .values({
        ...mine,
        ...{ kind: 'web', device_id: 'push.test', token: `token-${personId}` },
        ...{ created_at: new Date(), seen_at: new Date() },
      })
      .execute();
  };

  test('another person of the same company sees and changes none of it', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createPerson(company.id, 'user');
    for (const person of [owner, other]) await plant(person.id);
    const { db } = app.services;
    const scope = { companyId: company.id, userId: owner.id };
    for (const table of tables) {
      const seen = await db.transaction(scope, (tx) =>
        tx.selectFrom(table).select('person_id').execute(),
      );
      expect(new Set(seen.map((row) => row.person_id)), table).toEqual(new Set([owner.id]));
      const deleted = await db.transaction(scope, (tx) =>
        tx.deleteFrom(table).where('person_id', '=', other.id).executeTakeFirst(),
      );
      expect(deleted.numDeletedRows, table).toBe(0n);
    }
  });

  test('the hash of a password is readable for nobody but the system', async () => {
    const { company, owner } = await app.createCompany();
    const { db } = app.services;
    const scope = { companyId: company.id, userId: owner.id };
    await expect(
      db.transaction(scope, (tx) => tx.selectFrom('person').select('password_hash').execute()),
    ).rejects.toThrow(/permission denied/);
    const seen = await db.transaction(scope, (tx) =>
      tx.selectFrom('person').select('id').execute(),
    );
    expect(seen).toEqual([{ id: owner.id }]);
  });
});

test('the audit log cannot be changed or emptied by the application', async () => {
  const { company, owner } = await app.createCompany();
  await app
    .as(owner)
    .request(companies.updateCompany, { params: { id: company.id }, body: { name: 'Audited' } });
  const { db } = app.services;
  const rows = await db.transaction({ companyId: company.id }, (tx) =>
    tx.selectFrom('audit_log').selectAll().execute(),
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action: 'company.updated',
    actor_id: owner.id,
    after: { name: 'Audited' },
  });
  await expect(
    db.transaction({ companyId: company.id }, (tx) =>
      tx.updateTable('audit_log').set({ action: 'x' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
  await expect(
    db.transaction({ companyId: company.id }, (tx) => tx.deleteFrom('audit_log').execute()),
  ).rejects.toThrow(/permission denied/);
});
