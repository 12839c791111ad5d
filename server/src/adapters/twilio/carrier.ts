import { sipTrunkUri } from '../../platform/sip-trunk-token.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import type { CarrierAccount, GatewayServices } from '../adapter.ts';
import { CarrierLegStore } from '../shared/carrier-leg-store.ts';
import { checkTwilioAccount, openTwilioApi } from './api.ts';
import { callbackUrls, type TwilioClient } from './client.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { createLegMutex } from '../shared/leg-mutex.ts';
import { messagingWebhooks, twilioMessaging } from './messaging.ts';
import { twilioNumbers } from './numbers.ts';
import { registrationWebhooks } from './registration-webhooks.ts';
import { twilioPorting } from './porting.ts';
import { twilioRegistration } from './registration.ts';
import { twilioSettings, type TwilioSettings } from './settings.ts';
import { twilioVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/**
 * How long a greeting's URL is valid: longer than any prompt, which may be fetched again while it
 * plays.
 */
const fileLinkSeconds = 3600;

function accountOf(settings: Settings): TwilioSettings {
  const account = twilioSettings.of(settings);
  if (!account) throw new Error('CARRIER names twilio, but its account is not set.');
  return account;
}

/** Our account, without the rest of the carrier. Throws when it is not set. */
export async function twilioAccount(settings: Settings, log: Log): Promise<CarrierAccount> {
  const account = accountOf(settings);
  const api = openTwilioApi(account, log, () => new Date());
  return {
    label: 'Twilio',
    check: () => checkTwilioAccount({ api, settings: account }),
    close: () => api.close(),
  };
}

/** Twilio as a carrier: calls, texts and numbers. Throws when its account is not set. */
export function twilioCarrier({ settings, db, files, log, now }: GatewayServices): Carrier {
  const account = accountOf(settings);
  const fileAddress = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.signUrl(company, file, now(), fileLinkSeconds);
  };
  const client: TwilioClient = {
    settings: account,
    publicUrl: settings.publicUrl,
    api: openTwilioApi(account, log, now),
    store: new CarrierLegStore<LegInstruction>(db, 'twilio'),
    callbacks: callbackUrls(settings.publicUrl, fileAddress),
    log,
    interconnectUri: sipTrunkUri(settings),
    sink: null,
    legMutex: createLegMutex(),
    now: () => new Date(),
  };
  return {
    name: 'twilio',
    label: 'Twilio',
    providerIds: [3],
    voice: twilioVoice(client),
    messaging: twilioMessaging(client),
    numbers: twilioNumbers(client),
    registration: twilioRegistration(client),
    porting: twilioPorting(client),
    webhooks: [
      ...voiceWebhooks(client),
      ...messagingWebhooks(client),
      ...registrationWebhooks(client),
    ],
    checkAccount: () => checkTwilioAccount(client),
    attachEventSink: (sink) => {
      client.sink = sink;
    },
    close: () => client.api.close(),
  };
}
