import type { Carriers } from './carrier.ts';
import type { MailGateway } from './mail.ts';
import type { PageReader } from './web-pages.ts';
import type { MessagingCarrier } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { VoiceCarrier } from './voice.ts';
import type { SpeechGateway } from './speech.ts';
import type { TranscriptionGateway } from './transcription.ts';
import type { CallerIdentityGateway } from './caller-identity.ts';
import type { FaxCarrier } from './fax.ts';
import type { PushGateway } from './push.ts';
import type { OAuthProviders } from './oauth.ts';

/** Everything we ask of strangers. The switchboard (app.ts) chooses who answers. */
export interface Gateways {
  mail: MailGateway;
  /** Every connected carrier: whatever concerns a number, a call or a text goes by its own one. */
  carriers: Carriers;
  /** The first carrier's, for what concerns none in particular. */
  messaging: MessagingCarrier;
  voice: VoiceCarrier;
  /** The inventories of all carriers as one. */
  numbers: NumberInventory;
  speech: SpeechGateway;
  transcription: TranscriptionGateway;
  callerIdentity: CallerIdentityGateway;
  /** Somebody else's web pages. */
  pages: PageReader;
  fax: FaxCarrier;
  push: PushGateway;
  /** Third parties that companies link accounts of theirs to. */
  oauth: OAuthProviders;
}
