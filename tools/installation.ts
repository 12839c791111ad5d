import { createServices } from '../server/src/app.ts';
import type { Services } from '../server/src/platform/context.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { checkSecret, SecretMismatchError } from '../server/src/platform/secret-check.ts';
import { readSettings } from '../server/src/settings.ts';

/**
 * Runs an operator's command on this installation, which can be running meanwhile. `reasonOf` says
 * what to tell the operator of an error; null: it is a fault of the product, and is thrown. Then the
 * exit code is 1.
 */
export async function onInstallation(
  work: (services: Services) => Promise<void>,
  reasonOf: (error: unknown) => string | null,
): Promise<void> {
  const settings = readSettings();
  const database = await openDatabase({
    dataDir: settings.dataDir,
    url: settings.databaseUrl,
    share: true,
  });
  const services = await createServices({ ...settings, databaseUrl: database.url }, 'operator');
  try {
    await checkSecret(database.url, settings.appSecrets);
    await work(services);
  } catch (error) {
    const reason = error instanceof SecretMismatchError ? error.message : reasonOf(error);
    if (reason === null) throw error;
    console.error(reason);
    process.exitCode = 1;
  } finally {
    await services.close();
    await database.stop();
  }
}
