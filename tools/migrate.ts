/** `npm run migrate`: brings the database up to date and ends. For a deployment that does so before its processes start. */
import {
  BusyTablesError,
  migrate,
  NewerDatabaseError,
  OutdatedDatabaseError,
} from '../server/src/platform/migrate.ts';
import { databaseLogins, MissingRolesError } from '../server/src/platform/roles.ts';
import { checkSecret, SecretMismatchError } from '../server/src/platform/secret-check.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/settings.ts';

const settings = readSettings();
const database = await openDatabase({
  dataDir: settings.dataDir,
  url: settings.databaseUrl,
  share: true,
});
try {
  const { applied } = await migrate(database.url);
  await checkSecret(database.url, settings.appSecrets);
  const logins = await databaseLogins(database.url, settings.appSecret);
  console.log(
    applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`,
  );
  if (!logins)
    console.log(
      'Its owner can’t create logins, so all parts of Trunkline share its role. docs/database.md explains the consequences',
    );
} catch (error) {
  const expected =
    error instanceof MissingRolesError ||
    error instanceof BusyTablesError ||
    error instanceof NewerDatabaseError ||
    error instanceof SecretMismatchError ||
    error instanceof OutdatedDatabaseError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
} finally {
  await database.stop();
}
