import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { checkAccounts, type AccountState } from '../gateways/carrier-accounts.ts';
import type { Adapter } from './adapter.ts';
import { adapterNamed } from './registry.ts';

type WithAccount = Adapter & Required<Pick<Adapter, 'account'>>;

/** The connected carriers whose accounts can be checked: the real ones. */
export const carriersWithAccounts = ({ carriers }: Pick<Settings, 'carriers'>): WithAccount[] =>
  carriers
    .map(adapterNamed)
    .filter((adapter): adapter is WithAccount => adapter.account !== undefined);

/**
 * Checks the carrier accounts in the settings, when a server starts or is examined. Opens API
 * clients and closes them again. Never throws.
 */
export async function checkAccountsBySettings(
  settings: Settings,
  log: Log,
): Promise<AccountState[]> {
  const accounts = await Promise.all(
    carriersWithAccounts(settings).map(async ({ name, account }) => ({
      name,
      ...(await account(settings, log)),
    })),
  );
  try {
    return await checkAccounts(
      accounts.map(({ name, label, check }) => ({ name, label, checkAccount: check })),
    );
  } finally {
    await Promise.all(accounts.map((account) => account.close()));
  }
}
