import type { BrowserGateway } from './browser.ts';
import type { Carriers } from './carrier.ts';
import type { CrmReaders } from './crm-reader.ts';
import type { Destinations } from './destination.ts';
import type { LogSinks } from './log-sinks.ts';
import type { MailGateway } from './mail.ts';
import type { PageReader } from './web-pages.ts';
import type { MessagingCarrier } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { VoiceCarrier } from './voice.ts';
import type { SpeechGateway } from './speech.ts';
import type { LanguageModel } from './language-model.ts';
import type { TranscriptionGateway } from './transcription.ts';
import type { CallerIdentityGateway } from './caller-identity.ts';
import type { NumberReputationGateway } from './number-reputation.ts';
import type { FaxCarrier } from './fax.ts';
import type { PushGateway } from './push.ts';
import type { Lookups } from './lookup.ts';
import type { Outbound } from './outbound.ts';
import type { OAuthProviders } from './oauth.ts';
import type { IdTokenProviders } from './id-tokens.ts';
import type { IdentityProviders, OwnProviders } from './sign-in.ts';
import type { DnsGateway } from './dns.ts';
import type { CertificateAuthority } from './certificates.ts';
import type { PaymentProvider } from './payments.ts';

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
  /** Reads what was said in calls; null: none is connected. */
  languageModel: LanguageModel | null;
  callerIdentity: CallerIdentityGateway;
  /** Whether our numbers are shown as spam; null: no source is connected. */
  numberReputation: NumberReputationGateway | null;
  /** Reads web pages of third parties. */
  pages: PageReader;
  /** Opens them in a browser; null: none is installed. */
  browser: BrowserGateway | null;
  fax: FaxCarrier;
  push: PushGateway;
  /** Third parties that companies link accounts of theirs to. */
  oauth: OAuthProviders;
  /** What an operator sets for each of them, set or not. */
  oauthVariables: ReadonlyMap<string, readonly string[]>;
  /** Third parties through whom people sign in. */
  signIn: IdentityProviders;
  /** Those that organizations bring themselves. */
  ownProviders: OwnProviders;
  /** Third parties whose ID tokens individuals sign in with. */
  idTokens: IdTokenProviders;
  /** Where companies have their audit log sent. */
  logSinks: LogSinks;
  /** Where companies have calls, texts and forms delivered, by name. */
  destinations: Destinations;
  /** Lists of connected accounts, to choose from. */
  lookups: Lookups;
  /** What comes back from connected CRMs, by their providers. */
  crmReaders: CrmReaders;
  /** Requests to those places. */
  outbound: Outbound;
  dns: DnsGateway;
  /** Issues TLS certificates for the domains of tenants. */
  certificates: CertificateAuthority;
  /** Takes cards; null: billing is off, or by invoice. */
  payments: PaymentProvider | null;
}
