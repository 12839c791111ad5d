import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  asPostgres,
  folderOfPostgres,
  hasDebianPostgres,
  initDebianPostgres,
  startDebianPostgres,
  type DebianPostgres,
} from '../services.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import { ask, signIn, timed, withRelease, type Release } from '../release.ts';
import { buyNumber, callNumber, callsOf, signUp, type Owner } from './operator.ts';

/** How long a quiet database may keep its log to itself. docs/backup.md says a minute. */
const archiveTimeoutSeconds = 5;
/** After a command that this process waited for: it hears which connections ended meanwhile. */
const settleMs = 200;
const [caller, lateCaller] = ['+19175550123', '+19175550177'];
const script = join(import.meta.dirname, '../../deploy/archive-wal.sh');

/**
 * What docs/backup.md says of a database of the operator's own that is brought back to a moment: with
 * Debian's PostgreSQL 15, calls and texts with pictures, a mistake, a lost machine, and the files
 * lost, too.
 */
export async function run(_: FaultOptions): Promise<Metric[]> {
  if (!hasDebianPostgres()) {
    const what = 'PostgreSQL 15 missing (apt-get install postgresql-15)';
    return [printMetric('point in time', what, 'works', 'skipped')];
  }
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-moment-'));
  chmodSync(folder, 0o711);
  try {
    return await withRelease((release) => backToAMoment(release, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

async function backToAMoment(release: Release, folder: string): Promise<Metric[]> {
  const place = (name: string): string => folderOfPostgres(join(folder, name));
  const [wal, base, backups] = [
    place('wal'),
    join(place('base'), 'one'),
    release.folder('backups'),
  ];
  const archiving = [
    ...['archive_mode=on', `archive_timeout=${archiveTimeoutSeconds}s`],
    `archive_command=${copyOfScript(folder)} %p ${wal}/%f`,
  ];
  const lost = join(place('first'), 'data');
  initDebianPostgres(lost);
  const database = await startDebianPostgres(lost, archiving);
  database.client('createdb', 'trunkline');
  const secret = { APP_SECRET: '3'.repeat(64), BACKUP_PASSPHRASE: 'only the operator knows' };
  const settings = { ...secret, DATA_DIR: release.folder('machine') };
  const env = (server: DebianPostgres) => ({ ...settings, DATABASE_URL: server.url('trunkline') });

  const first = await release.start(env(database));
  const owner = await signUp(first);
  const number = await buyNumber(first.url, owner);
  database.client('pg_basebackup', '-c', 'fast', '-D', base, '-Ft', '-z');
  await pause(settleMs);
  await callNumber(first.url, owner, caller, number);
  await sendText(first.url, number, red);
  const backup = backUp(release, env(database), backups);
  await pause(settleMs);
  await sendText(first.url, number, blue);
  const pictures = await picturesOf(first.url, owner, 2);
  if (new Set([...pictures, 'none']).size !== 3) throw new Error(`pictures: ${pictures.join()}`);
  const time = database.ask('select now()');
  await pause(1_000);

  await deleteTexts(first.url, owner);
  await callNumber(first.url, owner, lateCaller, number);
  const isDeleted = (await picturesOf(first.url, owner, 0)).length === 0;
  const archived = await untilArchived(database);
  // The database's machine is lost, and what it had not archived yet.
  await database.kill();
  first.kill();
  rmSync(lost, { recursive: true });

  const files = join(place('second'), 'data');
  const began = performance.now();
  unpack(base, files, wal, time);
  const back = await startDebianPostgres(files, archiving);
  await until(() => back.ask('select pg_get_wal_replay_pause_state()') === 'paused');
  const shown = back.ask('select count(*) from call', 'trunkline');
  back.ask('select pg_wal_replay_resume()');
  await until(() => back.ask('select pg_is_in_recovery()') === 'f');
  const seconds = (performance.now() - began) / 1000;
  return [
    yes('the mistake was one', isDeleted),
    metric('archived after the mistake', `${archived.toFixed(1)} s`),
    printMetric('point in time: calls shown before it goes on', shown, '1', shown === '1'),
    metric('database back', `${seconds.toFixed(1)} s`),
    ...(await lookAround(release, env(back), { owner, number, pictures })),
    ...(await withoutFiles(release, env(back), { owner, backup, backups, pictures })),
    ...(await goesOn(back, wal)),
  ];
}

const yes = (id: string, isSo: boolean): Metric =>
  printMetric(`point in time: ${id}`, isSo ? 'yes' : 'no', 'yes', isSo);
const metric = (id: string, value: string): Metric =>
  printMetric(`point in time: ${id}`, value, 'shown', true);

interface Known {
  owner: Owner;
  number: string;
  /** Sums of the pictures, oldest first. */
  pictures: string[];
}

/** What people find on the database that came back, with the files that were never lost. */
async function lookAround(release: Release, env: Record<string, string>, known: Known) {
  const site = await release.start(env);
  const owner = { ...known.owner, token: await signIn(site.url, known.owner.email) };
  const calls = await callsOf(site.url, owner, caller);
  const late = await callsOf(site.url, owner, lateCaller);
  const pictures = await picturesOf(site.url, owner, 2);
  const again = await callNumber(site.url, owner, '+19175550188', known.number);
  await site.stop();
  return [
    metric('start of the product', `${site.seconds.toFixed(1)} s`),
    yes('the call of before is there', calls.length === 1),
    yes('the deleted texts are there', pictures.length === 2),
    yes('with their pictures', pictures.join() === known.pictures.join()),
    yes('the call of after is not', late.length === 0),
    yes('a new call is stored', again > 0),
  ];
}

/** The files are lost, too: those of the last backup come back, a later one doesn't. */
async function withoutFiles(
  release: Release,
  env: Record<string, string>,
  known: Omit<Known, 'number'> & { backup: string; backups: string },
): Promise<Metric[]> {
  const { backup, backups, pictures } = known;
  const folder = join(env.DATA_DIR ?? '', 'files');
  rmSync(folder, { recursive: true });
  const site = await release.start(env);
  const owner = { ...known.owner, token: await signIn(site.url, known.owner.email) };
  const without = await picturesOf(site.url, owner, 2);
  let said = '';
  const seconds = timed(() => {
    said = release.command(env, 'restore', backup, '--from', backups, '--files');
  });
  await pause(settleMs);
  const found = await picturesOf(site.url, owner, 2);
  await site.stop();
  return [
    yes(
      'lost files are missed',
      without.every((sum) => sum === 'none'),
    ),
    metric('files brought back', `${seconds.toFixed(1)} s`),
    yes('the picture of the backup is there', found[0] === pictures[0]),
    yes('the later one is named as missing', found[1] === 'none' && /missing: 1$/m.test(said)),
  ];
}

/** The log is archived further, beside that of the database that was lost. */
async function goesOn(back: DebianPostgres, wal: string): Promise<Metric[]> {
  back.ask('select pg_switch_wal()');
  await until(() => readdirSync(wal).some((name) => /^00000002[0-9A-F]{16}$/.test(name)));
  const failed = back.ask('select failed_count from pg_stat_archiver');
  await back.kill();
  return [yes('the log is archived further', failed === '0')];
}

/** Waits until all that was committed by now is in the archive. Says how long that took, in seconds. */
async function untilArchived(database: DebianPostgres): Promise<number> {
  const began = performance.now();
  const segment = database.ask('select pg_walfile_name(pg_current_wal_insert_lsn())');
  await until(
    () => database.ask('select last_archived_wal from pg_stat_archiver').slice(0, 24) >= segment,
  );
  return (performance.now() - began) / 1000;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 200) {
    if (waited > 60_000) throw new Error(`not within a minute: ${isSo}`);
    await pause(200);
  }
}

const png = (pixel: string): string =>
  `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42m${pixel}AAAABJRU5ErkJggg==`;
const [blue, red] = [png('Nk+M9QDwADhgGAWjR9awA'), png('P8z8BQDwAEhQGAhKmMIQA')];

const sendText = (url: string, to: string, picture: string) =>
  ask(url, '/sandbox/texts', { from: caller, to, text: 'See this', media: [picture] });

/** The conversation with the outside phone. */
async function conversationPath(url: string, { companyId, token }: Owner): Promise<string> {
  const path = `/api/companies/${companyId}/conversations`;
  type Listed = { data: { id: number; recipient: string }[] };
  const { data } = await ask<Listed>(url, `${path}?perPage=25`, undefined, token);
  return `${path}/${data.find(({ recipient }) => recipient === caller)?.id}`;
}

async function deleteTexts(url: string, owner: Owner): Promise<void> {
  const path = `${await conversationPath(url, owner)}/messages`;
  const headers = { authorization: `Bearer ${owner.token}` };
  const { status } = await fetch(`${url}${path}`, { method: 'DELETE', headers });
  if (status !== 204) throw new Error(`deleting the texts answered ${status}`);
}

/** The sums of the pictures that were texted, oldest first; "none": it can't be read. Waits for so many. */
async function picturesOf(url: string, owner: Owner, expected: number): Promise<string[]> {
  type Items = { data: { id: number; details: { media?: { url: string }[] } }[] };
  const path = `${await conversationPath(url, owner)}/items?perPage=50`;
  for (let waited = 0; ; waited += 500) {
    const { data } = await ask<Items>(url, path, undefined, owner.token);
    const media = data.sort((a, b) => a.id - b.id).flatMap(({ details }) => details.media ?? []);
    if (media.length === expected || waited > 20_000)
      return Promise.all(media.map((one) => sumOf(new URL(one.url, url))));
    await pause(500);
  }
}

async function sumOf(url: URL): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) return 'none';
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

/** Where the database's user can run it. */
function copyOfScript(folder: string): string {
  const copy = join(folder, 'archive-wal.sh');
  copyFileSync(script, copy);
  chmodSync(copy, 0o755);
  return copy;
}

function backUp(release: Release, env: Record<string, string>, backups: string): string {
  const said = release.command(env, 'backup', backups);
  return /trunkline-[\dTZ-]+/.exec(said)?.[0] ?? '';
}

/** As docs/backup.md says it. */
function unpack(base: string, data: string, wal: string, time: string): void {
  folderOfPostgres(data);
  asPostgres('tar', 'xzf', join(base, 'base.tar.gz'), '-C', data);
  asPostgres('tar', 'xzf', join(base, 'pg_wal.tar.gz'), '-C', join(data, 'pg_wal'));
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${wal}/%f %p'\nrecovery_target_time = '${time}'\n`,
  );
  asPostgres('touch', join(data, 'recovery.signal'));
}
