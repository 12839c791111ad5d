import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { checkAccounts, type AccountState } from '../gateways/carrier-accounts.ts';
import { openBandwidthApi as openBandwidth } from './bandwidth/api.ts';
import { checkBandwidthAccount } from './bandwidth/dashboard.ts';
import { checkTwilioAccount, openTwilioApi as openTwilio } from './twilio/api.ts';

/**
 * Checks the carrier accounts in the settings, when a server starts or is examined. Opens API
 * clients and closes them again.
 */
export async function checkAccountsBySettings(
  settings: Settings,
  log: Log,
): Promise<AccountState[]> {
  const now = () => new Date();
  const twilio =
    settings.carriers.includes('twilio') && settings.twilio
      ? { api: openTwilio(settings.twilio, log, now), settings: settings.twilio }
      : null;
  const bandwidth =
    settings.carriers.includes('bandwidth') && settings.bandwidth
      ? { api: openBandwidth(settings.bandwidth, log, now), settings: settings.bandwidth }
      : null;
  try {
    return await checkAccounts([
      ...(twilio
        ? [{ name: 'twilio', label: 'Twilio', checkAccount: () => checkTwilioAccount(twilio) }]
        : []),
      ...(bandwidth
        ? [
            {
              name: 'bandwidth',
              label: 'Bandwidth',
              checkAccount: () => checkBandwidthAccount(bandwidth),
            },
          ]
        : []),
    ]);
  } finally {
    await Promise.all([twilio?.api.close(), bandwidth?.api.close()]);
  }
}
