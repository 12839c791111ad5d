/**
 * `npm run backup`: backs up database, files and secrets to BACKUP_TO, or to a place that is named;
 * with `--check` it also starts a copy and compares it. docs/backup.md says how and how to restore.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { recordRun, type BackupRun } from '../server/src/backup/backup-runs.ts';
import { checkBackup } from '../server/src/backup/check-backup.ts';
import {
  BackupRunningError,
  makeBackup,
  removeOldBackups,
} from '../server/src/backup/make-backup.ts';
import { openPlace } from '../server/src/backup/places.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/settings.ts';
import { backupSummary } from './backup-summary.ts';

const usage = 'Usage: npm run backup [-- PLACE] [--check]';
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    // By the clock of `npm start`: it checks, too, and says nothing where another machine is at it.
    scheduled: { type: 'boolean', default: false },
  },
});

const settings = readSettings();
const to = positionals[0] ?? settings.backup.to;
const { passphrase } = settings.backup;
if (!to || !passphrase || positionals.length > 1) {
  console.error(
    `${usage}\n${to ? 'Set BACKUP_PASSPHRASE, which encrypts the backup. Restoring needs it' : 'Say where to: a folder or s3://bucket/prefix, or set BACKUP_TO'}.`,
  );
  process.exit(2);
}

const place = await openPlace(to, settings);
const database = await openDatabase({
  dataDir: settings.dataDir,
  url: settings.databaseUrl,
  share: true,
});
const run: BackupRun = {
  ...{ name: '', place: place.name, startedAt: new Date(), bytes: 0, error: null },
  ...{ checkedAt: null, checkError: null },
};
try {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const { name, manifest } = await makeBackup({ settings, database, version }, place, passphrase);
  run.name = name;
  run.bytes = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`Backed up to ${place.name}/${name}: ${backupSummary(manifest)}`);
  if (options.check || options.scheduled) {
    run.checkedAt = new Date();
    await checkBackup(place, name, passphrase, settings.dataDir).catch((error: unknown) => {
      run.checkError = messageOf(error);
    });
    console.log(run.checkError ?? 'A copy was started from it, and holds the same rows and files');
  }
  // Old ones stay until there is a newer one that is known to be good.
  if (!run.checkError && place.name === settings.backup.to)
    for (const old of await removeOldBackups(place, settings.backup.keep))
      console.log(`Removed ${old}`);
} catch (error) {
  if (error instanceof BackupRunningError && options.scheduled) process.exit(0);
  run.error = messageOf(error);
  console.error(`No backup was made: ${run.error}`);
} finally {
  await recordRun(database.url, run);
  await database.stop();
}
if (run.error ?? run.checkError) process.exitCode = 1;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
