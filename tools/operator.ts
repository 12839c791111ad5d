/**
 * `npm run operator -- lift-networks <company ID>`: opens a company to every network when its list of
 * allowed networks keeps everybody out. `docs/way-back.md` says when to use it.
 */
import { createServices } from '../server/src/app.ts';
import { liftNetworks } from '../server/src/modules/settings/index.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { checkSecret } from '../server/src/platform/secret-check.ts';
import { readSettings } from '../server/src/settings.ts';

const [command, given] = process.argv.slice(2);
const companyId = Number(given);

if (command !== 'lift-networks' || !Number.isSafeInteger(companyId) || companyId <= 0) {
  console.error('Usage: npm run operator -- lift-networks <company ID>');
  process.exitCode = 2;
} else {
  const settings = readSettings();
  const database = await openDatabase({
    dataDir: settings.dataDir,
    url: settings.databaseUrl,
    share: true,
  });
  try {
    await checkSecret(database.url, settings.appSecrets);
    const services = await createServices({ ...settings, databaseUrl: database.url }, 'operator');
    const name = await liftNetworks(services, companyId);
    await services.close();
    if (name === null) {
      console.error(`There is no company ${companyId}`);
      process.exitCode = 1;
    } else console.log(`${name} can be used from every network now`);
  } finally {
    await database.stop();
  }
}
