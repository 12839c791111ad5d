import type { Carriers } from './carrier.ts';
import type { LogSinks } from './log-sinks.ts';
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
import type { IdentityProviders } from './sign-in.ts';
import type { DnsGateway } from './dns.ts';
import type { CertificateAuthority } from './certificates.ts';

/** All external services. The composition root (app.ts) chooses the adapters. */
export interface Gateways {
  mail: MailGateway;
  /** All connected carriers: a number, call or text goes through its own. */
  carriers: Carriers;
  /** The first carrier's, for everything that belongs to none in particular. */
  messaging: MessagingCarrier;
  voice: VoiceCarrier;
  /** The inventories of all carriers as one. */
  numbers: NumberInventory;
  speech: SpeechGateway;
  transcription: TranscriptionGateway;
  callerIdentity: CallerIdentityGateway;
  /** Reads web pages of third parties. */
  pages: PageReader;
  fax: FaxCarrier;
  push: PushGateway;
  /** Third parties that companies link accounts of theirs to. */
  oauth: OAuthProviders;
  /** Third parties through whom people sign in. */
  signIn: IdentityProviders;
  /** Where companies have their audit log sent. */
  logSinks: LogSinks;
  dns: DnsGateway;
  /** Issues TLS certificates for the domains of tenants. */
  certificates: CertificateAuthority;
}
