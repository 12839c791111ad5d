import type { Db } from '../../platform/db.ts';
import type { FileStore } from '../../platform/files.ts';
import { sipTrunkUri } from '../../platform/sip-trunk-token.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import { CarrierLegStore } from '../carrier-leg-store.ts';
import { checkTwilioAccount, openTwilioApi } from './api.ts';
import { callbackUrls, type TwilioClient } from './client.ts';
import type { LegInstruction } from '../leg-instruction.ts';
import { createLegMutex } from '../leg-mutex.ts';
import { messagingWebhooks, twilioMessaging } from './messaging.ts';
import { twilioNumbers } from './numbers.ts';
import { registrationWebhooks } from './registration-webhooks.ts';
import { twilioPorting } from './porting.ts';
import { twilioRegistration } from './registration.ts';
import { twilioVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/**
 * How long a greeting's URL is valid: longer than any prompt, which may be fetched again while it
 * plays.
 */
const fileLinkSeconds = 3600;

/** Twilio as a carrier: calls, texts and numbers. Throws when its account is not set. */
export function twilioCarrier(services: {
  settings: Settings;
  db: Db;
  files: FileStore;
  log: Log;
  now: () => Date;
}): Carrier {
  const { settings, db, files, log, now } = services;
  if (!settings.twilio) throw new Error('CARRIER names twilio, but its account is not set.');
  const fileAddress = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.signUrl(company, file, now(), fileLinkSeconds);
  };
  const client: TwilioClient = {
    settings: settings.twilio,
    publicUrl: settings.publicUrl,
    api: openTwilioApi(settings.twilio, log, now),
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
