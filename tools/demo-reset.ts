/** `npm run demo:reset`: forgets everything and makes the demo world anew. Never in production. */
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/settings.ts';
import { resetInstallation, prepareDatabase } from '../server/src/start/prepare-database.ts';

const settings = readSettings();
const blockedReason = settings.production
  ? 'NODE_ENV is production: there is no demo data to recreate, and nothing was changed'
  : settings.databaseUrl && !process.argv.includes('--yes')
    ? 'This empties the database at DATABASE_URL. To continue: npm run demo:reset -- --yes'
    : null;

if (blockedReason) {
  console.error(blockedReason);
  process.exitCode = 1;
} else {
  try {
    // Refuses while Trunkline runs, because its processes would use rows that no longer exist.
    const database = await openDatabase({ dataDir: settings.dataDir, url: settings.databaseUrl });
    try {
      await resetInstallation({ databaseUrl: database.url, dataDir: settings.dataDir });
      await prepareDatabase(
        { ...settings, databaseUrl: database.url, demo: true },
        database.embedded,
        console.log,
      );
    } finally {
      await database.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
