import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { printMetric, type Metric } from '../metric.ts';
import {
  isReady,
  removeDataDir,
  RetryingDatabase,
  startReadyProduct,
  temporaryDataDir,
} from '../product.ts';
import { request } from '../traffic.ts';
import { carrierAway } from './carrier-away.ts';
import { figureOf, operatorRuns, readiness, secondsUntil, seen, took } from './kit.ts';

const megabytes = 900;
const ourNumber = '+12125552340';

/**
 * "A carrier is away", and "Disk full": an installation on a small disk that another program fills while texts come in. What
 * was acknowledged stays, the reason is named, and room is all that it needs.
 */
export async function diskFull(): Promise<Metric[]> {
  const dataDir = temporaryDataDir();
  const options = `size=${megabytes}m,mode=711`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir]);
  if (mounted.status !== 0) {
    removeDataDir(dataDir);
    return [printMetric('disk full', 'only root can mount a small disk', 'ends', 'skipped')];
  }
  try {
    return await fillAndFree(dataDir);
  } finally {
    spawnSync('umount', ['-l', dataDir]);
    removeDataDir(dataDir);
  }
}

async function fillAndFree(dataDir: string): Promise<Metric[]> {
  const product = await startReadyProduct(dataDir);
  try {
    const { url } = product;
    const away = await carrierAway(url, product.databaseUrl);
    const log = join(dataDir, 'log-of-another-program');
    const taken: string[] = [];
    await send(url, taken, 20);
    const before = taken.length;
    fill(log);
    const free = await figureOf(url, 'disk_free_bytes');
    const found = await readiness(url);
    const doctor = await operatorRuns({ DATA_DIR: dataDir }, 'doctor');
    // How many still fit into what the tables have, differs from run to run.
    const isTaken = await send(url, taken, 300);
    const fitted = `${taken.length - before}${isTaken ? '' : ', then refused'}`;
    const said = (await readiness(url))?.database === true ? 'reads' : 'stopped';
    // Writing is refused until the database's log needs room, too; then it stops.
    await needLog(product.databaseUrl);
    const down = await secondsUntil(async () => (await readiness(url))?.database !== true, 60);

    const usage = spawnSync('du', ['-xsh', ...entriesOf(dataDir)], { encoding: 'utf8' }).stdout;
    rmSync(log);
    const back = await secondsUntil(() => isReady(url), 180);
    const kept = await missing(product.databaseUrl, taken);
    const again = await send(url, taken, 5);
    return [
      ...away,
      seen('disk full: the alert’s figure is under its limit', free !== null && free < 5e9),
      seen('disk full: /readyz names the disk', found?.storage === false, JSON.stringify(found)),
      seen('disk full: doctor names it', /\n.*0\.0 GB of .*free/.test(doctor), doctor),
      printMetric('disk full: texts taken all the same', fitted, 'shown', before === 20),
      printMetric('disk full: the database then', said, 'shown', true),
      took('disk full: the database stops when its log needs room', down),
      seen('disk full: du names what fills it', /log-of-another-program/.test(usage), usage),
      took('disk full: back after making room', back),
      seen('disk full: texts that were taken are there', kept.length === 0, kept.join()),
      seen('disk full: texts are taken again', again),
    ];
  } finally {
    await product.stop();
  }
}

const entriesOf = (dataDir: string): string[] =>
  spawnSync('ls', [dataDir], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((name) => join(dataDir, name));

/** Another program writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  const chunk = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** Outside phones text us; what was taken is noted. Returns whether all were. */
async function send(url: string, taken: string[], count: number): Promise<boolean> {
  for (let n = 0; n < count; n += 1) {
    const text = `disk-${taken.length}-${Math.random().toString(36).slice(2)}.`;
    const from = `+1917555${String(2000 + (taken.length % 50)).slice(-4)}`;
    const body = { from, to: ourNumber, text };
    const answer = await request(url, '/sandbox/texts', { body }).catch(() => null);
    if (!answer || answer.status >= 300) return false;
    taken.push(text);
  }
  return true;
}

/** The database begins segments of its log until there is no room for one. */
async function needLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    for (let n = 0; n < 100; n += 1)
      await client.query("select pg_logical_emit_message(false, 'test', ''), pg_switch_wal()");
  } catch {
    // It has stopped, before or by this.
  } finally {
    await client.end().catch(() => {});
  }
}

/** Those that were taken and aren't in the inbox. */
async function missing(databaseUrl: string, taken: string[]): Promise<string[]> {
  const database = new RetryingDatabase(databaseUrl);
  let left = taken;
  await secondsUntil(async () => {
    const found = await database.rows<{ text: string }>(
      'select text from conversation_item where is_inbound and text = any($1)',
      [taken],
    );
    const there = new Set(found.map(({ text }) => text));
    left = taken.filter((text) => !there.has(text));
    return left.length === 0;
  }, 60);
  await database.close();
  return left;
}
