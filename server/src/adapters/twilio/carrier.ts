import type { Db } from '../../platform/db.ts';
import type { FileStore } from '../../platform/files.ts';
import { lineAddress } from '../../platform/one-time-line.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../ports/carrier.ts';
import { legBook } from '../leg-book.ts';
import { checkTwilioAccount, openApi } from './api.ts';
import { placesOf, type Desk } from './desk.ts';
import type { Doing } from '../doing.ts';
import { openTurns } from '../turns.ts';
import { textWebhooks, twilioMessaging } from './messaging.ts';
import { twilioNumbers } from './numbers.ts';
import { papersWebhooks } from './papers-webhooks.ts';
import { twilioPorting } from './porting.ts';
import { twilioRegistration } from './registration.ts';
import { twilioVoice } from './voice.ts';
import { voiceWebhooks } from './voice-webhooks.ts';

/** A greeting may be fetched once more while its caller listens; an hour is longer than any prompt. */
const fileSeconds = 3600;

/** Twilio as a carrier: calls, texts and numbers. */
export function twilioCarrier(house: {
  settings: Settings;
  db: Db;
  files: FileStore;
  log: Log;
  now: () => Date;
}): Carrier {
  const { settings, db, files, log, now } = house;
  if (!settings.twilio) throw new Error('CARRIER names twilio, and its account is not set.');
  const fileAddress = (name: string) => {
    const [company = 0, file = 0] = name.split(':').map(Number);
    return settings.publicUrl + files.sign(company, file, now(), fileSeconds);
  };
  const desk: Desk = {
    settings: settings.twilio,
    publicUrl: settings.publicUrl,
    api: openApi(settings.twilio, log, now),
    book: legBook<Doing>(db, 'twilio'),
    places: placesOf(settings.publicUrl, fileAddress),
    log,
    lineAddress: lineAddress(settings),
    hear: null,
    turns: openTurns(),
    now: () => new Date(),
  };
  return {
    name: 'twilio',
    label: 'Twilio',
    providerIds: [3],
    voice: twilioVoice(desk),
    messaging: twilioMessaging(desk),
    numbers: twilioNumbers(desk),
    registration: twilioRegistration(desk),
    porting: twilioPorting(desk),
    webhooks: [...voiceWebhooks(desk), ...textWebhooks(desk), ...papersWebhooks(desk)],
    checkAccount: () => checkTwilioAccount(desk),
    listen: (hear) => {
      desk.hear = hear;
    },
    close: () => desk.api.close(),
  };
}
