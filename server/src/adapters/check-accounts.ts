import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { CarrierRefused, type Carrier } from '../ports/carrier.ts';
import { openApi as openBandwidth } from './bandwidth/api.ts';
import { checkBandwidthAccount } from './bandwidth/dashboard.ts';
import { checkTwilioAccount, openApi as openTwilio } from './twilio/api.ts';

/** `refused`: the carrier said no; `away`: it did not answer; `note`: it works, and an operator should know this. */
export interface AccountState { carrier: string; state: 'ok' | 'note' | 'refused' | 'away'; sentence: string | null }

/** Ask each carrier that can be asked about our account, all at once. Never throws. */
export const checkAccounts = (carriers: readonly Pick<Carrier, 'label' | 'checkAccount'>[]): Promise<AccountState[]> =>
  Promise.all(carriers.flatMap(({ label, checkAccount }) => (checkAccount ? [stateOf(label, checkAccount)] : [])));

async function stateOf(carrier: string, check: () => Promise<string | null>): Promise<AccountState> {
  try {
    const sentence = await check();
    return { carrier, state: sentence ? 'note' : 'ok', sentence };
  } catch (error) {
    if (error instanceof CarrierRefused) return { carrier, state: 'refused', sentence: error.message };
    return { carrier, state: 'away', sentence: `${carrier} did not answer (${(error as Error).message}). Check this server’s way to the internet.` };
  }
}

/** The same with nothing but settings, for who starts or examines a server: opens what it needs and closes it again. */
export async function checkAccountsBySettings(settings: Settings, log: Log): Promise<AccountState[]> {
  const now = () => new Date();
  const twilio = settings.carriers.includes('twilio') && settings.twilio ? { api: openTwilio(settings.twilio, log, now), settings: settings.twilio } : null;
  const bandwidth = settings.carriers.includes('bandwidth') && settings.bandwidth ? { api: openBandwidth(settings.bandwidth, log, now), settings: settings.bandwidth } : null;
  try {
    return await checkAccounts([
      ...(twilio ? [{ label: 'Twilio', checkAccount: () => checkTwilioAccount(twilio) }] : []),
      ...(bandwidth ? [{ label: 'Bandwidth', checkAccount: () => checkBandwidthAccount(bandwidth) }] : []),
    ]);
  } finally {
    await Promise.all([twilio?.api.close(), bandwidth?.api.close()]);
  }
}
