import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../server/src/platform/postgres/index.ts';
import { loadOldDatabase, oldMigrations } from '../../server/test/upgrade/old-database.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import { ask, signIn, timed, withRelease, type Release } from '../release.ts';

/** What the demo of 0.1 was sealed with. */
const secret = '5ec7'.repeat(16);

/**
 * What an operator of 0.1 goes through with the files of a release: backup, upgrade, a call of before
 * is found; back by the backup, and forward once more on another machine.
 */
export const run = (_: FaultOptions): Promise<Metric[]> => withRelease(upgradeJourney);

/** The way of `run` for any form of a release. */
export async function upgradeJourney(release: Release): Promise<Metric[]> {
  const [backups, old, back] = ['old-backups', 'old', 'back'].map(release.folder) as [
    string,
    string,
    string,
  ];
  const settings = { APP_SECRET: secret, BACKUP_PASSPHRASE: 'only the operator knows' };
  const env = { ...settings, DATA_DIR: old };
  await onDatabase(old, (url) => loadOldDatabase(url, join(old, 'files')));
  release.own(old);

  const said = release.command(env, 'backup', backups, '--check');
  const migrated = timed(() => release.command(env, 'migrate'));
  const upgraded = await release.start(env);
  const isThere = await seesCall(upgraded.url);
  await upgraded.stop();

  const [name = ''] = /trunkline-[\dTZ-]+/.exec(said) ?? [];
  const there = { ...settings, DATA_DIR: back };
  const restored = timed(() => release.command(there, 'restore', name, '--from', backups));
  const migrations = await onDatabase(back, countMigrations);
  release.own(back);
  const again = await release.start(there);
  const isThereAgain = await seesCall(again.url);
  await again.stop();
  const yes = (id: string, isSo: boolean) => printMetric(id, isSo ? 'yes' : 'no', 'yes', isSo);
  return [
    printMetric('upgrade: tables brought up to date', `${migrated.toFixed(1)} s`, 'shown', true),
    printMetric('upgrade: start afterwards', `${upgraded.seconds.toFixed(1)} s`, 'shown', true),
    yes('upgrade: a call of before is there', isThere),
    printMetric('upgrade: restore of what was before', `${restored.toFixed(1)} s`, 'shown', true),
    yes('upgrade: its tables are the old ones', migrations === oldMigrations),
    printMetric(
      'upgrade: start that upgrades by itself',
      `${again.seconds.toFixed(1)} s`,
      'shown',
      true,
    ),
    yes('upgrade: the call is there again', isThereAgain),
  ];
}

async function onDatabase<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

async function countMigrations(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>('select count(*)::int n from migration');
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}

/** As a person of then, with their password of then. */
async function seesCall(url: string): Promise<boolean> {
  const token = await signIn(url, 'owner@demo.test', 'trunkline-demo');
  const { data: me } = await ask<{ data: { companies: { id: number }[] } }>(
    url,
    '/api/user',
    undefined,
    token,
  );
  for (const { id } of me.companies) {
    const search = `/api/calls/search?company_id=${id}&q=Stella%20Young`;
    const { data } = await ask<{ data: object[] }>(url, search, undefined, token);
    if (data.length > 0) return true;
  }
  return false;
}
