/**
 * `npm run person:erase -- NUMBER [--company ID] [--yes]` erases the person of a phone number;
 * `npm run person:erase -- EMAIL [--yes | --hold REASON | --end-hold]` an account, or holds it.
 * Without `--yes` it says what would be deleted. `docs/erase-a-person.md`
 */
import { parseArgs } from 'node:util';
import {
  checkAccount,
  eraseAccount,
  eraseNumber,
  ErasureRefusal,
  holdAccount,
  whatStaysOfAccounts,
} from '../server/src/modules/archive/index.ts';
import type { Services } from '../server/src/platform/context.ts';
import { onInstallation } from './installation.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    yes: { type: 'boolean', default: false },
    hold: { type: 'string' },
    'end-hold': { type: 'boolean', default: false },
  },
});
const isDryRun = !values.yes;
const nothingYet = 'Nothing was deleted. Erase with --yes. It can’t be undone.';

async function account(services: Services, email: string): Promise<void> {
  if (values.hold !== undefined || values['end-hold']) {
    await holdAccount(services, email, values.hold ?? null);
    console.log(values.hold === undefined ? 'The hold ended.' : 'The account is held.');
    return;
  }
  const { companies } = isDryRun
    ? await checkAccount(services, email)
    : await eraseAccount(services, email);
  const names = companies.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  console.log(`${isDryRun ? 'Would leave' : 'Erased. Left'} these companies: ${names}.`);
  console.log('What stays:');
  for (const { what, why } of whatStaysOfAccounts) console.log(`  ${what}. ${why}`);
  if (isDryRun) console.log(nothingYet);
}

async function number(services: Services, typed: string): Promise<void> {
  const companyId = values.company === undefined ? null : Number(values.company);
  const found = await eraseNumber(services, typed, { companyId, isDryRun });
  for (const { company, companyId: id, goes, refused } of found) {
    const parts = Object.entries(goes).flatMap(([what, n]) => (n ? [`${n} ${what}`] : []));
    console.log(
      `${company} (${id}): ${refused ?? `${isDryRun ? 'would go' : 'erased'}: ${parts.join(', ') || 'the contact'}`}`,
    );
  }
  if (isDryRun) console.log(nothingYet);
  else if (found.some(({ refused }) => refused)) process.exitCode = 1;
}

/** What to tell the operator; null: it is a fault of the product. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ErasureRefusal) return error.message;
  // A table or column that isn’t there.
  return ['42P01', '42703'].includes((error as { code?: string }).code ?? '')
    ? 'The tables of this installation are older than this version. Update them first: npm run migrate'
    : null;
}

const [who] = positionals;
const isCompany = values.company === undefined || /^\d+$/.test(values.company);
if (!who || positionals.length > 1 || !isCompany) {
  console.error(
    'Usage: npm run person:erase -- NUMBER [--company ID] [--yes]\n       npm run person:erase -- EMAIL [--yes | --hold REASON | --end-hold]',
  );
  process.exitCode = 2;
} else
  await onInstallation(
    (services) => (who.includes('@') ? account(services, who) : number(services, who)),
    reasonOf,
  );
