import { spawn } from 'node:child_process';
import pg from 'pg';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { createLogger } from './log.ts';
import { acquireWorkerLease } from './worker-lease.ts';

const app = await createTestApp();
const url = app.services.settings.databaseUrl!;
const log = createLogger('silent', 'test');
/** What others think of whoever pulsed so many seconds ago. */
const isOver = async (life: number | null, secondsAgo: number) =>
  app.services.db.systemTransaction(
    async (tx) =>
      (
        await sql<{
          gone: boolean;
        }>`select lease_expired(${life}::int, clock_timestamp() - make_interval(secs => ${secondsAgo})) gone`.execute(
          tx,
        )
      ).rows[0]!.gone,
  );
const until = async (fits: () => Promise<boolean> | boolean) => {
  for (const from = performance.now(); !(await fits());) {
    if (performance.now() - from > 60_000) throw new Error('it never came');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test('one that lives is never taken for dead, however old its pulse; one that is gone is, as soon as its pulse is old', async () => {
  const lease = await acquireWorkerLease(url, log);
  expect(lease.isHeld()).toBe(true);
  expect(await isOver(lease.id, 3600)).toBe(false);
  await lease.stop();
  await until(() => isOver(lease.id, 3600));
  expect(await isOver(lease.id, 0)).toBe(false);
  expect(await isOver(null, 3600)).toBe(false);
});

test('one that loses its connection takes the same sign again', async () => {
  const lease = await acquireWorkerLease(url, log);
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const holder = async () =>
    (
      await owner.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and classid = 7203 and objid = $1::bigint::oid and granted`,
        [lease.id],
      )
    ).rows[0]?.pid;
  const first = await holder();
  await owner.query('select pg_terminate_backend($1)', [first]);
  await until(async () => {
    const now = await holder();
    return now !== undefined && now !== first && lease.isHeld();
  });
  expect(await isOver(lease.id, 3600)).toBe(false);
  await owner.end();
  await lease.stop();
});

test('a process that is killed is gone for everybody; one whose event loop hangs is not', async () => {
  const program = `import { acquireWorkerLease } from ${JSON.stringify(new URL('./worker-lease.ts', import.meta.url).href)};
    const lease = await acquireWorkerLease(process.env.URL, { debug() {} }); process.stdout.write(lease.id + '\\n'); for (const end = Date.now() + 90_000; Date.now() < end;) { /* busy, and not for ever should nobody be left to kill it */ }`;
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program],
    { env: { ...process.env, URL: url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const id = Number(
    await new Promise<string>((resolve) =>
      child.stdout.once('data', (d: Buffer) => resolve(d.toString())),
    ),
  );
  expect(await isOver(id, 3600)).toBe(false);
  child.kill('SIGKILL');
  await until(() => isOver(id, 3600));
}, 120_000);
