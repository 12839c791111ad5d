/**
 * `npm run restore -- NAME`: restores a backup of BACKUP_TO (or of a place that is named) into an
 * empty DATA_DIR and, where that is set, an empty DATABASE_URL. Without a name it lists what there is;
 * with `--check` it only starts a copy and compares it. With `--files` it adds the files that are
 * missing here, and leaves the database alone, which was brought back by other means.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup, compareCopy, countMissingFiles } from '../server/src/backup/check-backup.ts';
import { openPlace } from '../server/src/backup/places.ts';
import { readManifest } from '../server/src/backup/read-backup.ts';
import { restoreBackup } from '../server/src/backup/restore-backup.ts';
import { restoreFiles } from '../server/src/backup/restore-files.ts';
import { readSettings } from '../server/src/settings.ts';
import { backupSummary } from './backup-summary.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    from: { type: 'string' },
  },
});
const given = process.env.APP_SECRET?.trim();
// Its secrets come from the backup; reading the settings must not make new ones.
const unused = '0'.repeat(64);
const settings = readSettings({ ...process.env, APP_SECRET: unused, MEDIA_SECRET: unused });
const from = options.from ?? settings.backup.to;
const { passphrase } = settings.backup;
const [name] = positionals;

if (!from || !passphrase) {
  console.error(
    `Usage: npm run restore [-- NAME] [--from PLACE] [--check | --files]\n${from ? 'Set BACKUP_PASSPHRASE, which the backup was encrypted with' : 'Say where the backups are: --from a folder or s3://bucket/prefix, or set BACKUP_TO'}.`,
  );
  process.exit(2);
}
try {
  const place = await openPlace(from, settings);
  if (!name) await list();
  else if (options.check) {
    await checkBackup(place, name, passphrase, settings.dataDir);
    console.log('A copy was started from it, and holds the same rows and files');
  } else if (options.files) {
    const { added, kept } = await restoreFiles(place, name, passphrase, settings.dataDir);
    console.log(`Added ${added} files to ${settings.dataDir}/files, where ${kept} of them were`);
    if (settings.databaseUrl) {
      const folder = join(settings.dataDir, 'files');
      const missing = await countMissingFiles(settings.databaseUrl, folder);
      console.log(`Files that the database knows and that are still missing: ${missing}`);
    }
  } else {
    const target = { dataDir: settings.dataDir, databaseUrl: settings.databaseUrl };
    const manifest = await restoreBackup(place, name, passphrase, target);
    await compareCopy(manifest, target);
    console.log(`Restored into ${settings.dataDir}: ${backupSummary(manifest)}`);
    console.log(
      settings.production || given
        ? `APP_SECRET of that installation is in ${settings.dataDir}/secrets/app-secret. Start with it: APP_SECRET=… npm start`
        : 'Start it: npm start',
    );
  }

  async function list() {
    const names = (await place.list()).sort();
    if (!names.length) console.log(`There are no backups at ${place.name}`);
    for (const each of names) {
      const manifest = await readManifest(place, each).catch(() => null);
      console.log(`${each}  ${manifest ? backupSummary(manifest) : 'unfinished'}`);
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
