import { readdirSync } from 'node:fs';
import { makeWorkerUtils } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contactsChanged } from '#contract/contacts/events';
import { createTestApp } from '../../test/support/test-app.ts';
import { gate, workersOf } from '../../test/support/workers.ts';
import { allJobs, startWorker as startWholeWorker } from '../app.ts';
import { analyzeTables } from './batches.ts';
import { systemCtx } from './context.ts';
import { submitJob } from '../modules/conversations/job-kinds.ts';
import { jobKind, overlapGroup, queues, type JobKind, type JobPolicy } from './job-kind.ts';
import { deleteFailedJobs, runJob } from './jobs.ts';
import { subscribe, startOutboxRelay } from './outbox-relay.ts';

const app = await createTestApp();
const url = app.services.settings.databaseUrl!;
const usual = { queue: 'default', timeoutSeconds: 600, overlap: 'allowed', retries: 24 } as const;
const startWorker = workersOf(app);
/** The queue's tables belong to the owner. */
const withOwner = async (work: (owner: pg.Client) => Promise<void>) => {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
};
/** A job with its kind, by which it is queued. */
const testJob = <P>(
  name: string,
  payload: z.ZodType<P>,
  policy: JobPolicy<P>,
  run: Parameters<typeof runJob<P>>[1],
) => {
  const kind = jobKind(name, payload, policy);
  return Object.assign(runJob(kind, run), { kind });
};
const enqueue = async <P>(kind: JobKind<P>, payloads: readonly Omit<P, 'companyId'>[]) => {
  const { company } = await app.createCompany();
  await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
    for (const payload of payloads) await t.enqueue(kind, { companyId: company.id, ...payload });
  });
  return company;
};

test('a long job keeps its lock while its worker renews its lease, and runs once', async () => {
  let runs = 0;
  const { open, opened } = gate();
  const long = testJob('tests.long', z.object({ companyId: z.number() }), usual, async () => {
    runs++;
    await opened;
  });
  const worker = await startWorker([long]);
  await withOwner(async (owner) => {
    try {
      await enqueue(long.kind, [{}]);
      await expect.poll(() => runs).toBe(1);
      // As if it had run for a minute; workers look for expired leases every second.
      await owner.query(
        `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`,
      );
      const renewedAt = async () =>
        (
          await owner.query<{ at: Date }>('select max(renewed_at) at from lease')
        ).rows[0]!.at.getTime();
      const before = await renewedAt();
      await expect
        .poll(async () => (await renewedAt()) > before + 2000, { timeout: 30_000 })
        .toBe(true);
      const { rows } = await owner.query<{ locked: boolean }>(
        'select locked_by is not null locked from graphile_worker._private_jobs',
      );
      expect(rows).toEqual([{ locked: true }]);
      expect(runs).toBe(1);
    } finally {
      open();
      await worker.stop();
    }
  });
});

/** While `work` runs, statements that end these jobs fail as if the connection broke: the queue does not repeat them. */
const withBrokenEnds = (
  column: string,
  work: (owner: pg.Client, failures: unknown[]) => Promise<void>,
) =>
  withOwner(async (owner) => {
    await owner.query(`create function tests_cut() returns trigger language plpgsql as $$ begin
        raise 'terminating connection due to administrator command' using errcode = '57P01'; end $$;
      create trigger tests_cut before update or delete on graphile_worker._private_jobs for each row
        when (old.payload ->> '${column}' is not null and old.locked_by is not null)
        execute function tests_cut()`);
    const others = process.listeners('unhandledRejection');
    const failures: unknown[] = [];
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => {
      failures.push(error);
    });
    try {
      await work(owner, failures);
    } finally {
      await owner.query('drop function tests_cut() cascade');
      process.removeAllListeners('unhandledRejection');
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
const countJobs = async (owner: pg.Client, column: string) =>
  (
    await owner.query<{ n: number }>(
      `select count(*)::int n from graphile_worker._private_jobs where payload ->> '${column}' is not null`,
    )
  ).rows[0]!.n;

test('a job whose end could not be stored is not stuck: one that failed runs again, one that succeeded does not', async () => {
  const runs = { failing: 0, fine: 0 };
  const flaky = testJob(
    'tests.flaky',
    z.object({ companyId: z.number(), which: z.enum(['failing', 'fine']) }),
    usual,
    async (_ctx, { which }) => {
      if (++runs[which] === 1 && which === 'failing') throw new Error('as its connection broke');
    },
  );
  await withBrokenEnds('which', async (owner, failures) => {
    const worker = await startWorker([flaky]);
    try {
      await enqueue(flaky.kind, [{ which: 'failing' }, { which: 'fine' }]);
      await expect.poll(() => failures.length, { timeout: 30_000 }).toBe(2);
      expect([runs, await countJobs(owner, 'which')]).toEqual([{ failing: 1, fine: 1 }, 2]);
      await owner.query('drop trigger tests_cut on graphile_worker._private_jobs');
      await expect.poll(() => countJobs(owner, 'which'), { timeout: 60_000 }).toBe(0);
      expect(runs).toEqual({ failing: 2, fine: 1 });
    } finally {
      await worker.stop();
    }
  });
});

test('jobs that run beside a lost one are not interrupted, and new ones start at once', async () => {
  const runners = Object.keys(queues).length;
  const begun: string[] = [];
  const { open, opened } = gate();
  const beside = testJob(
    'tests.beside',
    z.object({ companyId: z.number(), beside: z.string() }),
    usual,
    async (_ctx, { beside: name }) => {
      begun.push(name);
      if (name === 'long') await opened;
    },
  );
  await withOwner(async (owner) => {
    const worker = await startWorker([beside]);
    try {
      const company = await enqueue(beside.kind, [{ beside: 'long' }]);
      await expect.poll(() => begun, { timeout: 30_000 }).toEqual(['long']);
      // As if the response to the statement that locked it was lost.
      const payload = JSON.stringify({ companyId: company.id, beside: 'lost' });
      await owner.query(`begin;
        select enqueue_job('tests.beside', '${payload}'::json, null, null, 25, null, null);
        update graphile_worker._private_jobs lost
          set locked_at = now(), locked_by = long.locked_by, attempts = 1
          from graphile_worker._private_jobs long
          where long.payload ->> 'beside' = 'long' and lost.payload ->> 'beside' = 'lost';
        commit`);
      const runnersOf = async () =>
        (await owner.query('select from lease where owner = $1', [worker.leases.owner])).rowCount;
      await expect.poll(runnersOf, { timeout: 60_000 }).toBe(runners + 1); // another took its place
      await enqueue(beside.kind, [{ beside: 'new' }]);
      await expect.poll(() => begun.includes('new'), { timeout: 30_000 }).toBe(true);
      expect(begun.filter((name) => name === 'long')).toEqual(['long']);
      open();
      await expect.poll(() => countJobs(owner, 'beside'), { timeout: 60_000 }).toBe(0);
      expect(begun.toSorted()).toEqual(['long', 'lost', 'new']);
      await expect.poll(runnersOf, { timeout: 30_000 }).toBe(runners);
    } finally {
      open();
      await worker.stop();
    }
  });
});

test('an attempt ends after its time: it has failed, is retried, and writes nothing any more', async () => {
  const late: unknown[] = [];
  const { open, opened } = gate();
  let runs = 0;
  const slow = testJob(
    'tests.slow',
    z.object({ companyId: z.number(), slow: z.boolean() }),
    { ...usual, timeoutSeconds: 0.2 },
    async (ctx) => {
      if (++runs > 1) return;
      await opened;
      await ctx
        .transaction((t) => t.publish(contactsChanged, { what: 'updated', count: 1 }))
        .catch((error: unknown) => late.push(error));
      late.push(ctx.signal?.aborted);
    },
  );
  await withOwner(async (owner) => {
    const worker = await startWorker([slow]);
    try {
      const company = await enqueue(slow.kind, [{ slow: true }]);
      const lastError = async () =>
        (
          await owner.query<{ last_error: string }>(
            `select last_error from graphile_worker._private_jobs where payload ->> 'slow' is not null`,
          )
        ).rows[0]?.last_error;
      await expect.poll(lastError, { timeout: 30_000 }).toBe('tests.slow took longer than 0.2 s');
      await expect.poll(() => runs, { timeout: 60_000 }).toBe(2);
      open();
      await expect.poll(() => late.length).toBe(2);
      expect(late).toEqual([
        expect.objectContaining({ message: 'tests.slow took longer than 0.2 s' }),
        true,
      ]);
      const { rowCount } = await owner.query('select from outbox where company_id = $1', [
        company.id,
      ]);
      expect(rowCount).toBe(0);
    } finally {
      open();
      await worker.stop();
    }
  });
});

test('of jobs that may not overlap one runs at a time, in all processes; others run beside each other', async () => {
  const most = new Map<string, number>();
  const running = new Map<string, number>();
  let done = 0;
  const payload = z.object({ companyId: z.number(), group: z.string() });
  const counted =
    (name: string) =>
    async (_ctx: unknown, { group }: { group: string }) => {
      const key = `${name} ${group}`;
      running.set(key, (running.get(key) ?? 0) + 1);
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key)!));
      await new Promise((resolve) => setTimeout(resolve, 30));
      running.set(key, running.get(key)! - 1);
      done++;
    };
  const never = testJob('tests.never', payload, { ...usual, overlap: 'never' }, counted('never'));
  const grouped = testJob(
    'tests.grouped',
    payload,
    { ...usual, overlap: ({ group }) => `tests-${group}` },
    counted('grouped'),
  );
  const workers = [await startWorker([never, grouped]), await startWorker([never, grouped])];
  try {
    const groups = ['a', 'b', 'a', 'b', 'a', 'b'].map((group) => ({ group }));
    await enqueue(grouped.kind, groups);
    await enqueue(never.kind, groups.slice(0, 1).concat(groups.slice(0, 1), groups.slice(0, 1)));
    await expect.poll(() => done, { timeout: 60_000 }).toBe(9);
    expect(Object.fromEntries(most)).toEqual({ 'never a': 1, 'grouped a': 1, 'grouped b': 1 });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
});

test('a job is queued with the retries its kind declares', async () => {
  const kind = jobKind(
    'tests.declared',
    z.object({ companyId: z.number(), declared: z.boolean() }),
    {
      ...usual,
      retries: 3,
    },
  );
  await enqueue(kind, [{ declared: true }]);
  await withOwner(async (owner) => {
    const { rows } = await owner.query<{ max_attempts: number }>(
      `delete from graphile_worker._private_jobs where payload ->> 'declared' is not null returning max_attempts`,
    );
    expect(rows).toEqual([{ max_attempts: 4 }]);
  });
});

test('a job for later waits also where time is behind that of the machine', async () => {
  const kind = jobKind('tests.later', z.object({ companyId: z.number() }), usual);
  const { company } = await app.createCompany();
  app.clock.advance(-3600);
  await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
    t.enqueue(kind, {}, { runAt: new Date(t.now.getTime() + 60_000) }),
  );
  app.clock.advance(3600);
  await withOwner(async (owner) => {
    const { rows } = await owner.query<{ wait: number }>(
      `with gone as (
         delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = 'tests.later' returning j.run_at
       ) select extract(epoch from run_at - clock_timestamp())::float as wait from gone`,
    );
    expect(rows[0]?.wait).toBeGreaterThan(30);
    expect(rows[0]?.wait).toBeLessThanOrEqual(60);
  });
});

test('every kind of job has one that runs', async () => {
  const files = readdirSync('server/src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(job-kinds|export-jobs)\.ts$/.test(name),
  );
  const kinds = await Promise.all(
    files.map(async (name) =>
      Object.values((await import(`../${name}`)) as Record<string, unknown>).flatMap((one) =>
        one !== null && typeof one === 'object' && 'policy' in one
          ? [(one as JobKind<unknown>).name]
          : [],
      ),
    ),
  );
  expect(kinds.flat().length).toBeGreaterThan(60);
  const running = new Set((await allJobs()).map(({ name }) => name));
  expect(kinds.flat().filter((name) => !running.has(name))).toEqual([]);
});

test('sending texts takes one turn a conversation and three a company, and few queues however many there are', () => {
  const groupOf = (conversationId: number, companyId = 7) =>
    overlapGroup(submitJob, { companyId, conversationId, itemId: 1 });
  expect(groupOf(1)).toBe(groupOf(1));
  expect(new Set(Array.from({ length: 20_000 }, (_, n) => groupOf(n))).size).toBe(3);
  expect(new Set(Array.from({ length: 20_000 }, (_, n) => groupOf(n, n))).size).toBe(512);
});

test('jobs that failed for good are deleted after a month', async () => {
  const owner = new pg.Pool({ connectionString: url, max: 1 });
  owner.on('error', () => {});
  owner.on('connect', (client) => client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: owner });
  try {
    const add = async (name: string, days: number, attempts: number) => {
      const { id } = await utils.addJob(
        'tests.failed',
        { name },
        { maxAttempts: 3, runAt: new Date('2999-01-01') },
      );
      await owner.query(
        `update graphile_worker._private_jobs set attempts = $2, updated_at = now() - make_interval(days => $3)
         where id = $1`,
        [id, attempts, days],
      );
    };
    await add('failed long ago', 31, 3);
    await add('failed lately', 29, 3);
    await add('still retried', 31, 2);
    await deleteFailedJobs(owner, utils);
    const { rows } = await owner.query<{ name: string }>(
      `select payload ->> 'name' as name from graphile_worker._private_jobs
       where payload ->> 'name' is not null order by id`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['failed lately', 'still retried']);
    await owner.query(
      `delete from graphile_worker._private_jobs where payload ->> 'name' is not null`,
    );
  } finally {
    await utils.release();
    await owner.end();
  }
});

test('a process whose job runner stops unexpectedly ends, so that it is started again', async () => {
  const others = process.listeners('uncaughtException');
  const thrown: string[] = [];
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => {
    thrown.push(error.message);
  });
  const worker = await startWorker([]);
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    // A newer version of the library sends this before it changes its tables.
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
    await worker.stop();
    await owner.end();
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
});

test('interactive jobs and subscribers run at once, however much bulk work waits', async () => {
  const { company } = await app.createCompany();
  const { open, opened } = gate();
  const begun: string[] = [];
  const payload = z.object({ companyId: z.number() });
  const bulk = testJob('tests.bulk', payload, { ...usual, queue: 'bulk' }, async (ctx) => {
    begun.push('bulk');
    await ctx.transaction((t) => t.publish(contactsChanged, { what: 'added', count: 1 }));
    await opened;
  });
  const small = testJob('tests.small', payload, usual, () => {
    begun.push('small');
    return Promise.resolve();
  });
  const subscriber = subscribe(contactsChanged, 'tests-queues', async (_, { count }) => {
    begun.push(count === 1 ? 'bulk subscriber' : 'subscriber');
    if (count === 1) await opened;
  });
  const relay = startOutboxRelay(url, app.services.log, [subscriber]);
  const worker = await startWorker([bulk, small], [subscriber]);
  try {
    // More of both than any process runs at a time, all of them before what somebody waits for.
    const ctx = (inBulk: boolean) =>
      systemCtx(app.services, company.id, app.notifier, 'tests', inBulk);
    await ctx(true).transaction(async (t) => {
      for (let n = 0; n < 30; n++) await t.publish(contactsChanged, { what: 'added', count: 1 });
    });
    await ctx(false).transaction(async (t) => {
      for (let n = 0; n < 30; n++) await t.enqueue(bulk.kind, { companyId: company.id });
    });
    await expect.poll(() => begun.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    await ctx(false).transaction(async (t) => {
      await t.enqueue(small.kind, { companyId: company.id });
      await t.publish(contactsChanged, { what: 'updated', count: 2 });
    });
    await expect
      .poll(() => [begun.includes('small'), begun.includes('subscriber')], { timeout: 30_000 })
      .toEqual([true, true]);
    // None of what they overtook has ended.
    expect(begun.filter((what) => what.startsWith('bulk')).length).toBe(queues.bulk);
  } finally {
    open();
    await relay.stop();
    await worker.stop();
  }
});

test('imports, exports and changes of many are bulk jobs, and no company has all of their workers', async () => {
  const jobs = (await allJobs()).filter(({ queue }) => queue === 'bulk');
  const bulk = jobs.map(({ name }) => name);
  // What isn't kept to one at a time takes seconds.
  const short = ['monitoring.check', 'numbers.checkSpamLabels', 'tracking.checkSites'];
  const ungrouped = jobs.filter(({ overlap }) => overlap === 'allowed').map(({ name }) => name);
  expect(ungrouped.toSorted()).toEqual([...short, 'tracking.growPools', 'tracking.routeNumbers']);
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

test('every job has one name and a time limit; what the clock starts never overlaps and is not retried', async () => {
  const jobs = await allJobs();
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(jobs.filter(({ timeoutSeconds }) => !(timeoutSeconds > 0))).toEqual([]);
  const recurring = jobs.filter((job) => job.recurring);
  expect(recurring.length).toBeGreaterThan(15);
  expect(recurring.filter((job) => job.overlap !== 'never' || job.retries !== 0)).toEqual([]);
});

test('the worker starts every recurring job at its minute; with its clock off it starts none', () =>
  withOwner(async (owner) => {
    const clock = async () => {
      const { rows } = await owner.query<{ identifier: string }>(
        'select identifier from graphile_worker._private_known_crontabs order by identifier',
      );
      return rows.map(({ identifier }) => identifier);
    };
    await owner.query('delete from graphile_worker._private_known_crontabs');
    await (await startWholeWorker(app.services, { isClockOn: false })).stop();
    expect(await clock()).toEqual([]);
    await (await startWholeWorker(app.services)).stop();
    const recurring = (await allJobs()).filter((job) => job.recurring).map(({ name }) => name);
    expect(await clock()).toEqual([...recurring, 'jobs.deleteFailed'].toSorted());
  }));

test('statistics are refreshed after rows were written in bulk', async () => {
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
