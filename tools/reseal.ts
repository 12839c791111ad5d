/**
 * `npm run reseal`: after APP_SECRET was changed, seals what is stored with the new one and takes the
 * database logins of the earlier ones away. See docs/secrets.md.
 */
import { openDb } from '../server/src/platform/db.ts';
import { createLogger } from '../server/src/platform/log.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { resealStoredValues } from '../server/src/platform/reseal.ts';
import { dropLogins } from '../server/src/platform/roles.ts';
import { checkSecret } from '../server/src/platform/secret-check.ts';
import { readSettings } from '../server/src/settings.ts';

const settings = readSettings();
const database = await openDatabase({
  dataDir: settings.dataDir,
  url: settings.databaseUrl,
  share: true,
});
try {
  await checkSecret(database.url, settings.appSecrets);
  const db = openDb(database.url, createLogger('warn', 'reseal'), {
    process: 'reseal',
    statementMs: 60_000,
    logins: null,
  });
  const { resealed, unreadable } = await resealStoredValues(db.unscoped, settings.appSecrets);
  await db.close();
  console.log(`Sealed with the newest APP_SECRET: ${resealed}`);
  for (const secret of settings.appSecrets.slice(1)) await dropLogins(database.url, secret);
  if (unreadable > 0) {
    console.error(`Sealed with a secret that is not known here: ${unreadable}`);
    process.exitCode = 1;
  } else console.log('Nothing stored needs APP_SECRET_PREVIOUS any more');
} finally {
  await database.stop();
}
