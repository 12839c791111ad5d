import { join } from 'node:path';
import type { Carrier, CarrierWebhook } from '../../gateways/carrier.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Exchange, GatewayServices } from '../adapter.ts';
import { shareFaultsIn } from './fault-injection.ts';
import { sandboxInventory } from './inventory.ts';
import { portWebhook, sandboxPorting } from './porting.ts';
import { registrationWebhook, sandboxRegistration } from './registration.ts';
import { sandboxTexts, textWebhooks } from './texts.ts';
import { sandboxVoice } from './voice.ts';
import { voiceWebhooks } from './webhook.ts';

/** The sandbox as a carrier. It serves every provider, so that all of the product can be tried. */
export function sandboxCarrier({ db, settings }: GatewayServices): Carrier {
  const exchange = sandboxExchange({ settings });
  return {
    ...exchange,
    label: 'Sandbox',
    providerIds: [1, 2, 3, 4],
    messaging: sandboxTexts(db),
    numbers: sandboxInventory(db),
    registration: sandboxRegistration(db),
    porting: sandboxPorting(db),
    webhooks: [
      ...exchange.webhooks,
      ...textWebhooks(settings.mediaSecret),
      registrationWebhook(settings.mediaSecret),
      portWebhook(settings.mediaSecret),
    ],
  };
}

/** Our exchange, which runs in the media process. */
export function sandboxExchange({
  settings,
}: {
  settings: Settings;
}): Exchange & { webhooks: readonly CarrierWebhook[] } {
  shareFaultsIn(join(settings.dataDir, 'trouble.json'));
  const voice = sandboxVoice({
    exchangeUrl: () => `http://127.0.0.1:${settings.mediaPort}`,
    secret: settings.mediaSecret,
  });
  return {
    name: 'sandbox',
    voice,
    webhooks: voiceWebhooks(settings.mediaSecret),
    close: () => voice.close(),
  };
}
