import { makeWorkerUtils } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contactsChanged } from '#contract/contacts';
import { createTestApp } from '../../test/support/test-app.ts';
import { allJobs } from '../app.ts';
import { analyzeTables } from './batches.ts';
import { systemCtx } from './context.ts';
import { deleteFailedJobs, asBulk, defineJob, startJobs } from './jobs.ts';
import { subscribe, startOutboxRelay } from './outbox-relay.ts';

const app = await createTestApp();

test('whoever does a job has a pulse under the name that locks it, so that a long job is not taken from the living and done twice', async () => {
  let runs = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const long = defineJob('tests.long', z.object({ companyId: z.number() }), async () => {
    runs++;
    await finished;
  });
  const queue = await startJobs(
    app.services.settings.databaseUrl!,
    app.services,
    app.notifier,
    [long],
    [],
  );
  // The queue's tables belong to the owner.
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  try {
    const { company } = await app.createCompany();
    await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
      t.enqueue('tests.long', { companyId: company.id }),
    );
    await expect.poll(() => runs).toBe(1);
    // As if it had been at it for a minute; the living look for the dead every second.
    await owner.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`,
    );
    const looked = async () =>
      (
        await owner.query<{ at: Date }>('select max(at) at from worker_heartbeat')
      ).rows[0]!.at.getTime();
    const before = await looked();
    await expect.poll(async () => (await looked()) > before + 2000).toBe(true);
    expect(
      (
        await owner.query<{ locked: boolean }>(
          'select locked_by is not null locked from graphile_worker._private_jobs',
        )
      ).rows,
    ).toEqual([{ locked: true }]);
    expect(runs).toBe(1);
  } finally {
    finish();
    await queue.stop();
    await owner.end();
  }
});

test('a job whose end the queue could not write down is not left lying in the hands of the living: one that failed is done again, one that went well is not', async () => {
  const runs: Record<string, number> = { failing: 0, well: 0 };
  const trouble = defineJob(
    'tests.trouble',
    z.object({ companyId: z.number(), which: z.enum(['failing', 'well']) }),
    async (_ctx, { which }) => {
      if (++runs[which]! === 1 && which === 'failing') throw new Error('as its connection broke');
    },
  );
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  // As if the connection broke when the end was written: the queue neither waits for that nor hears it.
  await owner.query(`create function tests_cut() returns trigger language plpgsql as $$ begin raise 'terminating connection due to administrator command' using errcode = '57P01'; end $$;
    create trigger tests_cut before update or delete on graphile_worker._private_jobs for each row when (old.payload ->> 'which' is not null and old.locked_by is not null) execute function tests_cut()`);
  const others = process.listeners('unhandledRejection');
  const unheard: unknown[] = [];
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => {
    unheard.push(error);
  });
  const queue = await startJobs(
    app.services.settings.databaseUrl!,
    app.services,
    app.notifier,
    [trouble],
    [],
  );
  const left = async () =>
    (
      await owner.query<{ n: number }>(
        `select count(*)::int n from graphile_worker._private_jobs where payload ->> 'which' is not null`,
      )
    ).rows[0]!.n;
  try {
    const { company } = await app.createCompany();
    await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
      for (const which of ['failing', 'well'])
        await t.enqueue('tests.trouble', { companyId: company.id, which });
    });
    await expect.poll(() => unheard.length, { timeout: 30_000 }).toBe(2);
    expect([runs, await left()]).toEqual([{ failing: 1, well: 1 }, 2]);
    await owner.query('drop trigger tests_cut on graphile_worker._private_jobs');
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
    expect(runs).toEqual({ failing: 2, well: 1 });
  } finally {
    await owner.query('drop function tests_cut() cascade');
    await queue.stop();
    await owner.end();
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  }
});

test('jobs that failed for good a month ago go, others stay', async () => {
  const owner = new pg.Pool({ connectionString: app.services.settings.databaseUrl!, max: 1 });
  const utils = await makeWorkerUtils({ pgPool: owner });
  try {
    const add = async (name: string, days: number, attempts: number) => {
      const { id } = await utils.addJob(
        'tests.failed',
        { name },
        { maxAttempts: 3, runAt: new Date('2999-01-01') },
      );
      await owner.query(
        'update graphile_worker._private_jobs set attempts = $2, updated_at = now() - make_interval(days => $3) where id = $1',
        [id, attempts, days],
      );
    };
    await add('failed long ago', 31, 3);
    await add('failed lately', 29, 3);
    await add('still tried', 31, 2);
    await deleteFailedJobs(owner, utils);
    const { rows } = await owner.query<{ name: string }>(
      `select payload ->> 'name' as name from graphile_worker._private_jobs where payload ->> 'name' is not null order by id`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['failed lately', 'still tried']);
    await owner.query(
      `delete from graphile_worker._private_jobs where payload ->> 'name' is not null`,
    );
  } finally {
    await utils.release();
    await owner.end();
  }
});

test('beside a queue of another version, nothing writes its private tables, and the log says so', async () => {
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  const warned: unknown[] = [];
  const log = Object.assign(Object.create(app.services.log) as typeof app.services.log, {
    warn: (...said: unknown[]) => {
      warned.push(said[1]);
    },
  });
  await owner.query('insert into graphile_worker.migrations (id) values (20)');
  const queue = await startJobs(
    app.services.settings.databaseUrl!,
    { ...app.services, log },
    app.notifier,
    [],
    [],
  );
  try {
    expect(warned).toEqual([
      expect.stringContaining('the job queue has another version than this server knows'),
    ]);
    // A job that is said to be in the hands of this worker, which knows nothing of it.
    await owner.query(`insert into graphile_worker._private_tasks (identifier) values ('tests.lost') on conflict do nothing;
      insert into graphile_worker._private_jobs (task_id, payload, run_at, locked_at, locked_by) select t.id, '{"lost": true}', now(), now(), p.worker_id
        from graphile_worker._private_tasks t, (select worker_id from worker_heartbeat order by at desc limit 1) p where t.identifier = 'tests.lost'`);
    // It looks every four seconds, and takes what it has seen twice for mislaid: the third pulse after that is far beyond.
    const pulse = async () =>
      (
        await owner.query<{ at: Date }>('select max(at) at from worker_heartbeat')
      ).rows[0]!.at.getTime();
    const before = await pulse();
    await expect
      .poll(async () => (await pulse()) > before + 12_000, { timeout: 60_000 })
      .toBe(true);
    expect(
      (
        await owner.query(
          `select from graphile_worker._private_jobs where payload ->> 'lost' is not null and locked_by is not null`,
        )
      ).rowCount,
    ).toBe(1);
  } finally {
    await queue.stop();
    await owner.query(
      `delete from graphile_worker._private_jobs where payload ->> 'lost' is not null; delete from graphile_worker.migrations where id = 20`,
    );
    await owner.end();
  }
});

test('a process whose queue stops by itself ends, so that it is started again', async () => {
  const others = process.listeners('uncaughtException');
  const thrown: string[] = [];
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => {
    thrown.push(error.message);
  });
  const queue = await startJobs(
    app.services.settings.databaseUrl!,
    app.services,
    app.notifier,
    [],
    [],
    1,
  );
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  try {
    // A newer version of the queue says so to older ones before it changes what they do not know.
    await expect
      .poll(
        async () => {
          await owner.query(`notify "worker:migrate", '{"breaking":true,"migrationNumber":999}'`);
          return thrown;
        },
        { timeout: 30_000 },
      )
      .toEqual(['the job runner stopped unexpectedly']);
  } finally {
    process.exitCode = undefined;
    await queue.stop();
    await owner.end();
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
});

test('reactions to what was said at once are begun in the order it was said', async () => {
  const { company } = await app.createCompany();
  await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
    for (let n = 1; n <= 40; n++) await t.publish(contactsChanged, { what: 'updated', count: n });
  });
  const relay = startOutboxRelay(app.services.settings.databaseUrl!, app.services.log, [
    subscribe(contactsChanged, 'tests-order', async () => {}),
  ]);
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  try {
    const due = async () =>
      (
        await owner.query<{ n: number; same: number }>(
          `select (payload -> 'data' ->> 'count')::int n, count(*) over (partition by run_at)::int same from graphile_worker._private_jobs where payload ->> 'reaction' like '%tests-order' order by run_at`,
        )
      ).rows;
    await expect.poll(async () => (await due()).length, { timeout: 30_000 }).toBe(40);
    expect(await due()).toEqual(Array.from({ length: 40 }, (_, i) => ({ n: i + 1, same: 1 })));
  } finally {
    await relay.stop();
    await owner.end();
  }
});

test('however much bulk work waits, and reactions to what it said, a job and a reaction that somebody waits for run at once', async () => {
  const { company } = await app.createCompany();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const begun: string[] = [];
  const payload = z.object({ companyId: z.number() });
  const bulk = asBulk(
    defineJob('tests.bulk', payload, async (ctx) => {
      begun.push('bulk');
      await ctx.transaction((t) => t.publish(contactsChanged, { what: 'added', count: 1 }));
      await finished;
    }),
  );
  const small = defineJob('tests.small', payload, () => {
    begun.push('small');
    return Promise.resolve();
  });
  const react = subscribe(contactsChanged, 'tests-lanes', async (_, said) => {
    begun.push(said.count === 1 ? 'bulk reaction' : 'reaction');
    if (said.count === 1) await finished;
  });
  const url = app.services.settings.databaseUrl!;
  const relay = startOutboxRelay(url, app.services.log, [react]);
  const queue = await startJobs(url, app.services, app.notifier, [bulk, small], [react]);
  try {
    // More of both than any process does side by side, all of them before what somebody waits for.
    const ctx = (inBulk: boolean) =>
      systemCtx(app.services, company.id, app.notifier, 'tests', inBulk);
    await ctx(true).transaction(async (t) => {
      for (let n = 0; n < 30; n++) await t.publish(contactsChanged, { what: 'added', count: 1 });
    });
    await ctx(false).transaction(async (t) => {
      for (let n = 0; n < 30; n++) await t.enqueue('tests.bulk', { companyId: company.id });
    });
    await expect.poll(() => begun.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    await ctx(false).transaction(async (t) => {
      await t.enqueue('tests.small', { companyId: company.id });
      await t.publish(contactsChanged, { what: 'updated', count: 2 });
    });
    await expect
      .poll(() => [begun.includes('small'), begun.includes('reaction')], { timeout: 30_000 })
      .toEqual([true, true]);
    // None of what they overtook has ended.
    expect(begun.filter((what) => what.startsWith('bulk')).length).toBe(2);
  } finally {
    finish();
    await relay.stop();
    await queue.stop();
  }
});

test('imports, exports and changes of many are bulk work', async () => {
  const bulk = (await allJobs()).filter((j) => j.bulk).map((j) => j.name);
  for (const name of [
    'contacts.import',
    'contacts.undoImport',
    'contacts.export',
    'contacts.bulkStep',
    'contacts.undoStep',
    'conversations.export',
    'calls.exportSearch',
    'numbers.updateMany',
    'numbers.releaseMany',
    'numbers.buyInBulk',
  ])
    expect(bulk).toContain(name);
});

test('the planner learns of rows that were written in bulk, from whoever wrote them', async () => {
  const { company } = await app.createCompany();
  const known = async () =>
    (
      await app.services.db.pool.query<{ n: number }>(
        `select reltuples::int n from pg_class where relname = 'contact'`,
      )
    ).rows[0]!.n;
  expect(await known()).toBeLessThan(3000);
  await app.services.db.systemTransaction((tx) =>
    sql`insert into contact (company_id, number) select ${company.id}, '+1' || (2120000000 + n) from generate_series(1, 3000) n`.execute(
      tx,
    ),
  );
  await analyzeTables(app.services.db, ['contact']);
  expect(await known()).toBeGreaterThanOrEqual(3000);
  await expect(analyzeTables(app.services.db, JSON.parse('["person"]'))).rejects.toThrow(
    /nobody's to ask for/,
  );
});
