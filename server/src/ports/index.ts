import type { Carriers } from './carrier.ts';
import type { MailPort } from './mail.ts';
import type { PageReader } from './pages.ts';
import type { MessagingCarrier } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { VoiceCarrier } from './voice.ts';
import type { SpeechPort } from './speech.ts';
import type { TranscriptionPort } from './transcription.ts';
import type { CallerIdentityPort } from './caller-identity.ts';
import type { FaxCarrier } from './fax.ts';
import type { PushPort } from './push.ts';

/** Everything we ask of strangers. The switchboard (app.ts) chooses who answers. */
export interface Ports {
  mail: MailPort;
  /** Every connected carrier: whatever concerns a number, a call or a text goes by its own one. */
  carriers: Carriers;
  /** The first carrier's, for what concerns none in particular. */
  messaging: MessagingCarrier;
  voice: VoiceCarrier;
  /** The inventories of all carriers as one. */
  numbers: NumberInventory;
  speech: SpeechPort;
  transcription: TranscriptionPort;
  callerIdentity: CallerIdentityPort;
  /** Somebody else's web pages. */
  pages: PageReader;
  fax: FaxCarrier;
  push: PushPort;
}
