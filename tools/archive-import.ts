/**
 * `npm run archive:import -- FILE [--dry-run]`: reads a company's archive into this installation.
 * `docs/take-your-data.md` says what comes along and what to do afterwards.
 */
import { parseArgs } from 'node:util';
import { ArchiveRefusal, importArchive } from '../server/src/modules/archive/index.ts';
import type { Services } from '../server/src/platform/context.ts';
import { onInstallation } from './installation.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});
const dryRun = values['dry-run'];

/** A line on the terminal that counts up; nothing where the output is a file. */
function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${Math.floor((done / Math.max(1, total)) * 100)}%`);
}

/** What to tell the operator; null: it is a fault of the product. */
function reasonOf(error: unknown): string | null {
  const notImported = (why: string) => `\nNot imported, nothing was changed. ${why}`;
  if (error instanceof ArchiveRefusal) return notImported(error.message);
  // An installation that was never started has no tables.
  return (error as { code?: string }).code === '42P01'
    ? notImported('This installation has no tables yet. Make them first: npm run migrate')
    : null;
}

async function run(services: Services, path: string): Promise<void> {
  const made = await importArchive(services, path, { dryRun, onProgress: showProgress });
  console.log(
    `\n${dryRun ? 'Can be imported' : 'Imported'}: ${made.company.name} (${made.company.id}), ${made.tables} tables, ${made.rows} rows, ${made.files} files; every table has the hash that the archive says.`,
  );
  if (made.missingFiles)
    console.log(
      `Where the archive was written, the bytes of ${made.missingFiles} files were missing.`,
    );
  console.log(`People: ${made.newPeople} new, ${made.knownPeople} with an account here.`);
  if (made.erasedNumbers)
    console.log(
      `Numbers of people who were erased here since: ${made.erasedNumbers}. What the archive has of them is left out.`,
    );
  if (made.erasedAccounts)
    console.log(`Accounts that were erased here since: ${made.erasedAccounts}. They stay erased.`);
  const { campaigns, scheduled, overdue } = made.waiting;
  if (campaigns + scheduled)
    console.log(
      `Waiting to be sent: ${campaigns} campaigns, ${scheduled} scheduled texts. They are sent from here.`,
    );
  if (overdue)
    console.log(
      `Scheduled for a time before the import: ${overdue} texts. They are not sent: send or cancel them in the inbox.`,
    );
  console.log(
    dryRun
      ? 'Nothing was changed. Import it without --dry-run.'
      : 'Next: new people set a password under "Forgot password"; enter carriers’ credentials, connect accounts, create API keys and send open invitations again.',
  );
}

const [path] = positionals;
if (!path || positionals.length > 1) {
  console.error('Usage: npm run archive:import -- FILE [--dry-run]');
  process.exitCode = 2;
} else await onInstallation((services) => run(services, path), reasonOf);
