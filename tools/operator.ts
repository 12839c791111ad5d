/**
 * What an operator does on the server itself:
 *
 * `npm run operator -- setup-link` prints a new link for the first account of platform staff, while
 * there is none.
 *
 * `npm run operator -- lift-networks <company ID>` opens a company to every network when its list of
 * allowed networks keeps everybody out. `docs/way-back.md` says when to use it.
 */
import { createServices } from '../server/src/app.ts';
import { createSetupLink } from '../server/src/modules/identity/index.ts';
import { liftNetworks } from '../server/src/modules/settings/index.ts';
import type { Services } from '../server/src/platform/context.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { checkSecret } from '../server/src/platform/secret-check.ts';
import { readSettings } from '../server/src/settings.ts';

/** What was done; `isDone`: false if it couldn't be. */
interface Outcome {
  says: string;
  isDone: boolean;
}

async function setUp(services: Services): Promise<Outcome> {
  const link = await createSetupLink(services);
  return link === null
    ? { says: 'Platform staff has an account already', isDone: false }
    : { says: `Set this installation up here, once, within 24 hours: ${link}`, isDone: true };
}

async function lift(services: Services, companyId: number): Promise<Outcome> {
  const name = await liftNetworks(services, companyId);
  return name === null
    ? { says: `There is no company ${companyId}`, isDone: false }
    : { says: `${name} can be used from every network now`, isDone: true };
}

function commandOf([command, given]: string[]): ((s: Services) => Promise<Outcome>) | null {
  if (command === 'setup-link' && given === undefined) return setUp;
  const companyId = Number(given);
  const isCompany = Number.isSafeInteger(companyId) && companyId > 0;
  return command === 'lift-networks' && isCompany ? (s) => lift(s, companyId) : null;
}

const command = commandOf(process.argv.slice(2));
if (!command) {
  console.error(
    'Usage: npm run operator -- setup-link\n       npm run operator -- lift-networks <company ID>',
  );
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
    const { says, isDone } = await command(services);
    await services.close();
    if (isDone) console.log(says);
    else {
      console.error(says);
      process.exitCode = 1;
    }
  } finally {
    await database.stop();
  }
}
