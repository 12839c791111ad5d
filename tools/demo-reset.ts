/** `npm run demo:reset`: forgets everything and makes the demo world anew. Never in production. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/platform/settings.ts';
import { prepare } from '../server/src/start/prepare.ts';

const settings = readSettings();
const refusal = settings.production
  ? 'NODE_ENV is production: there is no demo world to make anew, and nothing was touched'
  : settings.databaseUrl && !process.argv.includes('--yes')
    ? 'This empties the database at DATABASE_URL. If that is what you want: npm run demo:reset -- --yes'
    : null;

if (refusal) {
  console.error(refusal);
  process.exitCode = 1;
} else {
  try {
    // Refuses while Trunkline runs: its processes would go on with rows that no longer exist.
    const database = await openDatabase({ dataDir: settings.dataDir, url: settings.databaseUrl });
    try {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public').finally(() => client.end());
      for (const folder of ['files', 'media', 'trouble.json']) rmSync(join(settings.dataDir, folder), { recursive: true, force: true });
      await prepare(database.url, { ...settings, databaseUrl: database.url, demo: true }, console.log);
    } finally {
      await database.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
