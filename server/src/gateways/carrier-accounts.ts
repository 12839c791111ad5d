import { CarrierRejectedError, type Carrier } from './carrier.ts';

/**
 * `refused`: the carrier rejects our account. `unreachable`: it did not answer. `warning`: it
 * works, but an operator should read the sentence.
 */
export interface AccountState {
  /** The name used in settings and stored with numbers: "twilio". */
  name: string;
  /** The name shown to people. */
  carrier: string;
  state: 'ok' | 'warning' | 'refused' | 'unreachable';
  sentence: string | null;
}

/** Whether the carrier can be used in this state. */
export const isWorking = (state: AccountState['state']): boolean =>
  state === 'ok' || state === 'warning';

/** Checks our account at every carrier that supports it, in parallel. Never throws. */
export const checkAccounts = (
  carriers: readonly Pick<Carrier, 'name' | 'label' | 'checkAccount'>[],
): Promise<AccountState[]> =>
  Promise.all(
    carriers.flatMap(({ name, label, checkAccount }) =>
      checkAccount ? [checkAccountState(name, label, checkAccount)] : [],
    ),
  );

async function checkAccountState(
  name: string,
  carrier: string,
  check: () => Promise<string | null>,
): Promise<AccountState> {
  try {
    const sentence = await check();
    return { name, carrier, state: sentence ? 'warning' : 'ok', sentence };
  } catch (error) {
    if (error instanceof CarrierRejectedError)
      return { name, carrier, state: 'refused', sentence: error.message };
    return {
      name,
      carrier,
      state: 'unreachable',
      sentence: `${carrier} did not respond (${(error as Error).message}). Check this server’s internet connection.`,
    };
  }
}
