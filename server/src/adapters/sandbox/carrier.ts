import { join } from 'node:path';
import type { Carrier, CarrierWebhook } from '../../gateways/carrier.ts';
import type { Exchange, GatewayServices } from '../adapter.ts';
import { shareFaultsIn } from './fault-injection.ts';
import { announcedExchanges } from './exchanges.ts';
import { sandboxInventory } from './inventory.ts';
import { portWebhook, sandboxPorting } from './porting.ts';
import { registrationWebhook, sandboxRegistration } from './registration.ts';
import { sandboxTexts, textWebhooks } from './texts.ts';
import { sandboxVoice } from './voice.ts';
import { voiceWebhooks } from './webhook.ts';

/** The sandbox as a carrier. It serves every provider, so that all of the product can be tried. */
export function sandboxCarrier({ db, settings }: GatewayServices): Carrier {
  const exchange = sandboxExchange({ db, settings });
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

/** Our exchanges, which run in the media processes. */
export function sandboxExchange({
  db,
  settings,
}: Pick<GatewayServices, 'db' | 'settings'>): Exchange & { webhooks: readonly CarrierWebhook[] } {
  shareFaultsIn(join(settings.dataDir, 'trouble.json'));
  const voice = sandboxVoice({
    exchanges: announcedExchanges(db),
    secret: settings.mediaSecret,
  });
  return {
    name: 'sandbox',
    voice,
    webhooks: voiceWebhooks(settings.mediaSecret),
    close: () => voice.close(),
  };
}
