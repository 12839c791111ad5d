import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { createLogger } from './log.ts';
import { openLeases, ownerLostSql } from './lease.ts';

const app = await createTestApp();
const url = app.services.settings.databaseUrl!;
const log = createLogger('silent', 'test');
const owner = new pg.Client({ connectionString: url });
await owner.connect();
afterAll(() => owner.end());

/** Pretends that a lease was last renewed so many seconds ago. */
const age = (name: string, seconds: number) =>
  owner.query(
    `update lease set renewed_at = clock_timestamp() - make_interval(secs => $2),
       until = clock_timestamp() + interval '8 seconds' - make_interval(secs => $2) where name = $1`,
    [name, seconds],
  );
/** Whether nobody owns what `name` claimed so many seconds ago. */
const isLost = async (name: string, claimedSecondsAgo = 3600) => {
  const { rows } = await owner.query<{ lost: boolean }>(
    `select ${ownerLostSql('$1::text', 'clock_timestamp() - make_interval(secs => $2)')} lost`,
    [name, claimedSecondsAgo],
  );
  return rows[0]!.lost;
};
const until = async (holds: () => Promise<boolean> | boolean) => {
  for (const from = performance.now(); !(await holds());) {
    if (performance.now() - from > 60_000) throw new Error('the condition never held');
    await pause(50);
  }
};
test('a process that keeps its connection keeps its lease for 8 seconds without a renewal; one that lost it, for 2.5', async () => {
  const alive = await openLeases(url, log);
  const gone = await openLeases(url, log);
  await gone.stop();
  for (const [name, process] of [
    ['alive', alive],
    ['gone', gone],
  ] as const)
    await owner.query(
      `insert into lease values ($1, $2, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
      [name, process.owner],
    );
  const renewedAgo = (seconds: number) =>
    owner.query(
      `update lease set renewed_at = clock_timestamp() - make_interval(secs => $1)
       where name in ('alive', 'gone')`,
      [seconds],
    );
  await renewedAgo(1);
  expect([await isLost('alive'), await isLost('gone')]).toEqual([false, false]);
  await renewedAgo(4);
  await until(() => isLost('gone')); // not in the first six seconds of a database
  expect(await isLost('alive')).toBe(false);
  await owner.query(`update lease set until = clock_timestamp() where name = 'alive'`);
  expect(await isLost('alive')).toBe(true);
  // Too young a claim: its owner may be about to renew.
  expect(await isLost('alive', 1)).toBe(false);
  await alive.stop();
});

test('a claim without any lease is lost after 8 seconds', async () => {
  await until(() => isLost('nobody'));
  expect(await isLost('nobody', 5)).toBe(false);
});

test('leases are renewed until they are released', async () => {
  const leases = await openLeases(url, log);
  await leases.acquire('a');
  await leases.acquire('b');
  expect(leases.isHeld()).toBe(true);
  await age('a', 3600);
  await age('b', 3600);
  await leases.release('b');
  await until(async () => !(await isLost('a')));
  expect((await owner.query(`select from lease where name = 'b'`)).rowCount).toBe(0);
  await leases.stop();
  expect((await owner.query(`select from lease where name = 'a'`)).rowCount).toBe(0);
});

test('a process that loses only its connection takes the same lock again and keeps its leases', async () => {
  const leases = await openLeases(url, log);
  await leases.acquire('reconnects');
  const holder = async () =>
    (
      await owner.query<{ pid: number }>(
        `select pid from pg_locks
         where locktype = 'advisory' and classid = 7203 and objid = $1::bigint::oid and granted`,
        [leases.owner],
      )
    ).rows[0]?.pid;
  const first = await holder();
  await owner.query('select pg_terminate_backend($1)', [first]);
  await until(async () => {
    const now = await holder();
    return now !== undefined && now !== first && leases.isHeld();
  });
  expect(await isLost('reconnects')).toBe(false);
  await leases.stop();
});

test('a killed process loses its leases; one whose event loop hangs does not', async () => {
  const program = `import { openLeases } from ${JSON.stringify(new URL('./lease.ts', import.meta.url).href)};
    const leases = await openLeases(process.env.URL, { debug() {} });
    process.stdout.write(leases.owner + '\\n');
    for (const end = Date.now() + 90_000; Date.now() < end;) { /* busy */ }`;
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program],
    { env: { ...process.env, URL: url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const number = Number(
    await new Promise<string>((resolve) =>
      child.stdout.once('data', (d: Buffer) => resolve(d.toString())),
    ),
  );
  await owner.query(
    `insert into lease values ('busy', $1, clock_timestamp() - interval '4 seconds', clock_timestamp() + interval '1 hour')`,
    [number],
  );
  // The database is old enough to tell: one that nobody owns is lost.
  await owner.query(
    `insert into lease values ('nobody', 1, clock_timestamp() - interval '4 seconds', clock_timestamp() + interval '1 hour')`,
  );
  await until(() => isLost('nobody', 1));
  expect(await isLost('busy')).toBe(false);
  child.kill('SIGKILL');
  await until(() => isLost('busy'));
}, 120_000);
