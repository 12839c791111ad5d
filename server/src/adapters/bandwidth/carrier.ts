import { sipTrunkUri } from '../../platform/sip-trunk-token.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import type { CarrierAccount, GatewayServices } from '../adapter.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { CarrierLegStore } from '../shared/carrier-leg-store.ts';
import { openBandwidthApi } from './api.ts';
import { checkBandwidthAccount } from './dashboard.ts';
import { webhookKeyOf, callbackUrls, type BandwidthClient } from './client.ts';
import { createLegMutex } from '../shared/leg-mutex.ts';
import { bandwidthMessaging, messagingWebhooks } from './messaging.ts';
import { bandwidthNumbers } from './numbers.ts';
import { registrationWebhooks } from './registration-webhooks.ts';
import { bandwidthPorting } from './porting.ts';
import { bandwidthRegistration } from './registration.ts';
import { bandwidthSettings, type BandwidthSettings } from './settings.ts';
import { bandwidthVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/**
 * How long a greeting's URL is valid: longer than any prompt, which may be fetched again while it
 * plays.
 */
const fileLinkSeconds = 3600;

function accountOf(settings: Settings): BandwidthSettings {
  const account = bandwidthSettings.of(settings);
  if (!account) throw new Error('CARRIER names bandwidth, but its account is not set.');
  return account;
}

/** Our account, without the rest of the carrier. Throws when it is not set. */
export async function bandwidthAccount(settings: Settings, log: Log): Promise<CarrierAccount> {
  const account = accountOf(settings);
  const api = openBandwidthApi(account, log, () => new Date());
  return {
    label: 'Bandwidth',
    check: () => checkBandwidthAccount({ api, settings: account }),
    close: () => api.close(),
  };
}

/**
 * Bandwidth as a carrier: calls (when a voice application is set), texts, and numbers through its
 * Dashboard. Throws when its account is not set.
 */
export function bandwidthCarrier(services: GatewayServices): Carrier {
  const { settings, log } = services;
  const key = webhookKeyOf(settings.appSecret.toString('hex'));
  const client = createClient(services, accountOf(settings), key);
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
      // An operator copies these URLs into the Dashboard. They alone do not authenticate a webhook.
      const at = (what: string) => `${settings.publicUrl}/carriers/bandwidth/${key}/${what}`;
      const urls = {
        messages: at('messages'),
        registrations: at('registrations'),
        orders: at('orders'),
        ...(voice ? { calls: at('voice'), callStatus: at('voice/status') } : {}),
      };
      log.info(urls, 'Bandwidth sends webhooks here');
    },
    close: () => client.api.close(),
  };
}

function createClient(
  { settings, db, files, log, now }: GatewayServices,
  account: BandwidthSettings,
  webhookKey: string,
): BandwidthClient {
  const fileUrl = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.signUrl(company, file, now(), fileLinkSeconds);
  };
  return {
    settings: account,
    publicUrl: settings.publicUrl,
    api: openBandwidthApi(account, log, now),
    store: new CarrierLegStore<LegInstruction>(db, 'bandwidth'),
    callbacks: callbackUrls(settings.publicUrl, webhookKey, fileUrl),
    appSecrets: settings.appSecrets.map((secret) => secret.toString('hex')),
    log,
    interconnectUri: sipTrunkUri(settings),
    sink: null,
    legMutex: createLegMutex(),
    now: () => new Date(),
  };
}
