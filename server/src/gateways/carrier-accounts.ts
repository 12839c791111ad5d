import { CarrierRejectedError, type Carrier } from './carrier.ts';

/** `refused`: the carrier said no; `unreachable`: it did not answer; `warning`: it works, and an operator should know this. */
export interface AccountState {
  /** As settings and numbers name it: "twilio". */
  name: string;
  /** As people read it. */
  carrier: string;
  state: 'ok' | 'warning' | 'refused' | 'unreachable';
  sentence: string | null;
}

/** Texts and calls can go by a carrier whose account is in this state. */
export const isWorking = (state: AccountState['state']): boolean =>
  state === 'ok' || state === 'warning';

/** Ask each carrier that can be asked about our account, all at once. Never throws. */
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
