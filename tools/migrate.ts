/** `npm run migrate`: brings the database up to date and ends. For a deployment that does so before its processes start. */
import { migrate } from '../server/src/platform/migrate.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/platform/settings.ts';

const settings = readSettings();
const database = await openDatabase({ dataDir: settings.dataDir, url: settings.databaseUrl, share: true });
try {
  const { applied } = await migrate(database.url);
  console.log(applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`);
} finally {
  await database.stop();
}
