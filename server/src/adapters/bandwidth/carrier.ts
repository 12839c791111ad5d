import type { Db } from '../../platform/db.ts';
import type { FileStore } from '../../platform/files.ts';
import { sipTrunkUri } from '../../platform/sip-trunk-token.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import type { LegInstruction } from '../leg-instruction.ts';
import { carrierLegStore } from '../carrier-leg-store.ts';
import { openBandwidthApi } from './api.ts';
import { checkBandwidthAccount } from './dashboard.ts';
import { webhookKeyOf, callbackUrls, type BandwidthClient } from './client.ts';
import { createLegMutex } from '../leg-mutex.ts';
import { bandwidthMessaging, messagingWebhooks } from './messaging.ts';
import { bandwidthNumbers } from './numbers.ts';
import { registrationWebhooks } from './registration-webhooks.ts';
import { bandwidthPorting } from './porting.ts';
import { bandwidthRegistration } from './registration.ts';
import { bandwidthVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/** A greeting may be fetched once more while its caller listens; an hour is longer than any prompt. */
const fileLinkSeconds = 3600;

/** Bandwidth as a carrier: calls (where a voice application is named), texts, and numbers through its Dashboard. */
export function bandwidthCarrier(services: {
  settings: Settings;
  db: Db;
  files: FileStore;
  log: Log;
  now: () => Date;
}): Carrier {
  const { settings, db, files, log, now } = services;
  if (!settings.bandwidth) throw new Error('CARRIER names bandwidth, and its account is not set.');
  const key = webhookKeyOf(settings.appSecret.toString('hex'));
  const fileAddress = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.signUrl(company, file, now(), fileLinkSeconds);
  };
  const client: BandwidthClient = {
    settings: settings.bandwidth,
    publicUrl: settings.publicUrl,
    api: openBandwidthApi(settings.bandwidth, log, now),
    store: carrierLegStore<LegInstruction>(db, 'bandwidth'),
    callbacks: callbackUrls(settings.publicUrl, key, fileAddress),
    appSecrets: settings.appSecrets.map((secret) => secret.toString('hex')),
    log,
    interconnectUri: sipTrunkUri(settings),
    sink: null,
    legMutex: createLegMutex(),
    now: () => new Date(),
  };
  const voice = client.settings.voiceApplicationId ? bandwidthVoice(client) : undefined;
  return {
    name: 'bandwidth',
    label: 'Bandwidth',
    providerIds: [1, 4],
    voice,
    messaging: bandwidthMessaging(client),
    numbers: bandwidthNumbers(client),
    registration: bandwidthRegistration(client),
    porting: bandwidthPorting(client),
    webhooks: [
      ...messagingWebhooks(client),
      ...registrationWebhooks(client),
      ...(voice ? voiceWebhooks(client) : []),
    ],
    checkAccount: () => checkBandwidthAccount(client),
    attachEventSink: (sink) => {
      client.sink = sink;
      // People copy them into Bandwidth's Dashboard; they are addresses, not the proof alone.
      const at = (what: string) => `${settings.publicUrl}/carriers/bandwidth/${key}/${what}`;
      log.info(
        {
          messages: at('messages'),
          registrations: at('registrations'),
          orders: at('orders'),
          ...(voice ? { calls: at('voice'), callStatus: at('voice/status') } : {}),
        },
        'Bandwidth reports here',
      );
    },
    close: () => client.api.close(),
  };
}
