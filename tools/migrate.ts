/** `npm run migrate`: brings the database up to date and ends. For a deployment that does so before its processes start. */
import {
  BusyTablesError,
  migrate,
  NewerDatabaseError,
  OutdatedDatabaseError,
  UnfinishedFillError,
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
  const { applied, filling } = await migrate(database.url, undefined, console.log);
  await checkSecret(database.url, settings.appSecrets);
  const logins = await databaseLogins(database.url, settings.appSecret);
  console.log(
    applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`,
  );
  for (const { name, done, total } of filling)
    console.log(
      `Still counted in the background, while Trunkline runs: ${name}, ${done} of ${total} rows. The platform’s status page shows how far it is`,
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
    error instanceof UnfinishedFillError ||
    error instanceof SecretMismatchError ||
    error instanceof OutdatedDatabaseError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
} finally {
  await database.stop();
}
