import type { MailPort } from './mail.ts';
import type { MessagingCarrier } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { VoiceCarrier } from './voice.ts';
import type { SpeechPort } from './speech.ts';
import type { TranscriptionPort } from './transcription.ts';
import type { CallerIdentityPort } from './caller-identity.ts';

/** Everything we ask of strangers. The switchboard (app.ts) chooses who answers. */
export interface Ports {
  mail: MailPort;
  messaging: MessagingCarrier;
  numbers: NumberInventory;
  voice: VoiceCarrier;
  speech: SpeechPort;
  transcription: TranscriptionPort;
  callerIdentity: CallerIdentityPort;
}
