import type { Db } from '../../platform/db.ts';
import type { FileStore } from '../../platform/files.ts';
import { lineAddress } from '../../platform/one-time-line.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../ports/carrier.ts';
import type { Doing } from '../doing.ts';
import { legBook } from '../leg-book.ts';
import { openApi } from './api.ts';
import { checkBandwidthAccount } from './dashboard.ts';
import { addressKey, placesOf, type Desk } from './desk.ts';
import { openTurns } from '../turns.ts';
import { bandwidthMessaging, textWebhooks } from './messaging.ts';
import { bandwidthNumbers } from './numbers.ts';
import { papersWebhooks } from './papers-webhooks.ts';
import { bandwidthPorting } from './porting.ts';
import { bandwidthRegistration } from './registration.ts';
import { bandwidthVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/** A greeting may be fetched once more while its caller listens; an hour is longer than any prompt. */
const fileSeconds = 3600;

/** Bandwidth as a carrier: calls (where a voice application is named), texts, and numbers through its Dashboard. */
export function bandwidthCarrier(house: {
  settings: Settings;
  db: Db;
  files: FileStore;
  log: Log;
  now: () => Date;
}): Carrier {
  const { settings, db, files, log, now } = house;
  if (!settings.bandwidth) throw new Error('CARRIER names bandwidth, and its account is not set.');
  const secret = settings.appSecret.toString('hex');
  const key = addressKey(secret);
  const fileAddress = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.sign(company, file, now(), fileSeconds);
  };
  const desk: Desk = {
    settings: settings.bandwidth,
    publicUrl: settings.publicUrl,
    api: openApi(settings.bandwidth, log, now),
    book: legBook<Doing>(db, 'bandwidth'),
    places: placesOf(settings.publicUrl, key, fileAddress),
    secret,
    log,
    lineAddress: lineAddress(settings),
    hear: null,
    turns: openTurns(),
    now: () => new Date(),
  };
  const voice = desk.settings.voiceApplicationId ? bandwidthVoice(desk) : undefined;
  return {
    name: 'bandwidth',
    label: 'Bandwidth',
    providerIds: [1, 4],
    voice,
    messaging: bandwidthMessaging(desk),
    numbers: bandwidthNumbers(desk),
    registration: bandwidthRegistration(desk),
    porting: bandwidthPorting(desk),
    webhooks: [
      ...textWebhooks(desk),
      ...papersWebhooks(desk),
      ...(voice ? voiceWebhooks(desk) : []),
    ],
    checkAccount: () => checkBandwidthAccount(desk),
    listen: (hear) => {
      desk.hear = hear;
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
    close: () => desk.api.close(),
  };
}
