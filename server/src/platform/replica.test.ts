import { sql } from 'kysely';
import { register } from 'prom-client';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { callAnalytics, fields, support } from '#contract';
import { createTestDatabase, dropTestDatabase } from '../../test/support/test-database.ts';
import { companyWithCalls } from '../../test/support/company-with-calls.ts';
import { startDatabaseWithReplica } from '../../test/support/streaming-replica.ts';
import { randomCalls } from '../../test/support/random-calls.ts';
import { createTestApp } from '../../test/support/test-app.ts';
import { openDb } from './db.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';

const database = await startDatabaseWithReplica();
await migrate(database.url);
const app = await createTestApp({
  env: { DATABASE_URL: database.url, DATABASE_REPLICA_URL: database.replicaUrl },
});
const made = await companyWithCalls(app, 1, 40);
const { company, owner, calls } = made;
const material = {
  numbers: made.numbers,
  users: made.users.map(({ id }) => id),
  tags: made.tags,
  ...{ from: '2026-10-19T00:00:00Z', days: 26 },
};
const inbound = calls.filter((call) => !call.outbound).length;
afterAll(database.stop);

/** How many calls the report counts. */
async function counted(): Promise<number> {
  const { status, body } = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: {
      company_id: company.id,
      ...{ start: '2026-10-18', end: '2026-11-15', tz: 'America/New_York', group: 'day' },
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.totals.calls;
}

/** Reads of reports so far, by where they were made. */
async function reads(): Promise<Record<string, number>> {
  const metric = await register.getSingleMetric('database_replica_reads_total')!.get();
  return Object.fromEntries(metric.values.map((one) => [one.labels['from'], one.value]));
}
/** Where the reads of `work` were made. */
async function readsOf(work: () => Promise<unknown>) {
  const before = await reads();
  await work();
  const { replica = 0, primary = 0 } = await reads();
  return {
    replica: replica - (before['replica'] ?? 0),
    primary: primary - (before['primary'] ?? 0),
  };
}
const lagOf = async () => {
  const staff = await app.createStaff('reads');
  const { status, body } = await app.as(staff).request(support.getSystemStatus, {
    headers: { isadmin: '1' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.database.replica;
};

/** Time that has passed for the replica's rest. */
let aheadMs = 0;
const clock = Date.now;
vi.spyOn(Date, 'now').mockImplementation(() => clock() + aheadMs);
beforeEach(() => {
  aheadMs += 60_000;
});

test('a report is read from the replica, and misses nothing that was written before', async () => {
  let expected = inbound;
  expect(await readsOf(async () => expect(await counted()).toBe(expected))).toEqual({
    replica: 1,
    primary: 0,
  });
  const seen = await readsOf(async () => {
    for (let n = 0; n < 20; n++) {
      const more = await randomCalls(app, company.id, material, { count: 3, seed: 100 + n });
      expected += more.filter((call) => !call.outbound).length;
      expect(await counted()).toBe(expected);
    }
  });
  expect(seen).toEqual({ replica: 20, primary: 0 });
  expect(await lagOf()).toEqual({ behind_seconds: 0 });
  // What is written, and other lists, never asks the replica.
  const others = await readsOf(() =>
    app.as(owner).request(fields.listTags, { params: { companyId: company.id } }),
  );
  expect(others).toEqual({ replica: 0, primary: 0 });
});

test('while the replica is behind, reports are read from the database, and staff see by how much', async () => {
  const before = await counted();
  await database.onReplica('select pg_wal_replay_pause()');
  const more = await randomCalls(app, company.id, material, { count: 9, seed: 200 });
  const expected = before + more.filter((call) => !call.outbound).length;
  const seen = await readsOf(async () => {
    expect(await counted()).toBe(expected);
    // It rests: no second wait.
    const began = performance.now();
    expect(await counted()).toBe(expected);
    expect(performance.now() - began).toBeLessThan(400);
  });
  expect(seen).toEqual({ replica: 0, primary: 2 });
  const lag = await lagOf();
  expect(lag!.behind_seconds).toBeGreaterThan(0);
  await database.onReplica('select pg_wal_replay_resume()');
  aheadMs += 60_000;
  expect(await readsOf(async () => expect(await counted()).toBe(expected))).toEqual({
    replica: 1,
    primary: 0,
  });
});

test('a replica that stops costs no answer, and is used again when it is back', async () => {
  const expected = await counted();
  await database.stopReplica();
  expect(await readsOf(async () => expect(await counted()).toBe(expected))).toEqual({
    replica: 0,
    primary: 1,
  });
  expect(await lagOf()).toEqual({ behind_seconds: null });
  await database.startReplica();
  aheadMs += 60_000;
  expect(await readsOf(async () => expect(await counted()).toBe(expected))).toEqual({
    replica: 1,
    primary: 0,
  });
});

test('what the replica ends is read again, from the database', async () => {
  const db = openDb(database.url, createLogger('silent', 'test'), {
    replicaUrl: database.replicaUrl,
  });
  const lane = db.inLane('reports', { companyId: company.id, personId: owner.id });
  const seen = await readsOf(async () => {
    const rows = await lane.readOnly({ companyId: company.id }, async (tx) => {
      const { rows: where } = await sql<{ copy: boolean }>`
        select pg_is_in_recovery() copy`.execute(tx);
      if (where[0]!.copy)
        await database.onReplica(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'trunkline_app%'`);
      return tx.selectFrom('company').select('name').where('id', '=', company.id).execute();
    });
    expect(rows).toEqual([{ name: company.name }]);
  });
  expect(seen).toEqual({ replica: 0, primary: 1 });
  await db.close();
});

test('a database that replicates another, or none, is never read', async () => {
  const other = await createTestDatabase();
  for (const replicaUrl of [other, database.url]) {
    const db = openDb(database.url, createLogger('silent', 'test'), { replicaUrl });
    const lane = db.inLane('reports', { companyId: company.id, personId: owner.id });
    const seen = await readsOf(async () => {
      const [row] = await lane.readOnly({ companyId: company.id }, (tx) =>
        tx.selectFrom('company').select('name').where('id', '=', company.id).execute(),
      );
      expect(row!.name).toBe(company.name);
    });
    expect(seen).toEqual({ replica: 0, primary: 1 });
    expect(await db.replicaLag()).toBeNull();
    await db.close();
  }
  await dropTestDatabase(other);
});
