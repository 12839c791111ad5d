import type { FastifyInstance } from 'fastify';
import type { BackupPlace } from '../gateways/backup-place.ts';
import type { BrowserGateway } from '../gateways/browser.ts';
import type { CallerIdentityGateway } from '../gateways/caller-identity.ts';
import type { Carrier } from '../gateways/carrier.ts';
import type { CertificateAuthority } from '../gateways/certificates.ts';
import type { Destination } from '../gateways/destination.ts';
import type { CrmReader } from '../gateways/crm-reader.ts';
import type { DnsGateway } from '../gateways/dns.ts';
import type { FaxCarrier } from '../gateways/fax.ts';
import type { LogSinks } from '../gateways/log-sinks.ts';
import type { MailGateway } from '../gateways/mail.ts';
import type { NumberReputationGateway } from '../gateways/number-reputation.ts';
import type { OAuthProvider } from '../gateways/oauth.ts';
import type { Lookups } from '../gateways/lookup.ts';
import type { Outbound } from '../gateways/outbound.ts';
import type { PaymentProvider } from '../gateways/payments.ts';
import type { PushGateway, PushNotification, PushResult, PushTarget } from '../gateways/push.ts';
import type { IdTokenProvider } from '../gateways/id-tokens.ts';
import type { IdentityProvider, OwnProviders } from '../gateways/sign-in.ts';
import type { SpeechGateway } from '../gateways/speech.ts';
import type { LanguageModel } from '../gateways/language-model.ts';
import type { TranscriptionGateway } from '../gateways/transcription.ts';
import type { VoiceCarrier } from '../gateways/voice.ts';
import type { PageReader } from '../gateways/web-pages.ts';
import type { Services } from '../platform/context.ts';
import type { BlobStore } from '../platform/files.ts';
import type { BodyReader } from '../platform/http/request-bodies.ts';
import type { Job } from '../platform/jobs.ts';
import type { Log } from '../platform/log.ts';
import type { AdapterSettings } from '../platform/settings/adapter-settings.ts';
import type { Settings } from '../platform/settings.ts';

/** Our own exchange: browsers and SIP phones use it, whichever carriers are connected. */
export interface Exchange extends Pick<Carrier, 'name' | 'webhooks'> {
  voice: VoiceCarrier;
  close(): Promise<void>;
}

/** Sends push notifications to one kind of device. */
interface PushSender {
  kind: PushTarget['kind'];
  send(target: PushTarget, note: PushNotification): Promise<PushResult>;
}

/** What an adapter can implement. */
export interface AdapterGateways {
  carrier: Carrier;
  exchange: Exchange;
  fax: FaxCarrier;
  callerIdentity: CallerIdentityGateway;
  /** Left out where no source is connected. */
  numberReputation: NumberReputationGateway;
  /** Providers that companies connect accounts at. */
  oauth: readonly OAuthProvider[];
  signIn: IdentityProvider;
  /** Providers that organizations bring themselves. */
  ownProviders: OwnProviders;
  /** Providers whose ID tokens individuals sign in with. */
  idTokens: readonly IdTokenProvider[];
  mail: MailGateway;
  /** Every kind of device. */
  push: PushGateway;
  pushSender: PushSender;
  speech: SpeechGateway;
  transcription: TranscriptionGateway;
  languageModel: LanguageModel;
  pages: PageReader;
  browser: BrowserGateway;
  logSinks: LogSinks;
  /** A kind of place that companies have calls, texts and forms delivered to. */
  destination: Destination;
  /** Lists of connected accounts. */
  lookups: Lookups;
  /** What comes back from connected accounts of a CRM. */
  crmReader: CrmReader;
  outbound: Outbound;
  dns: DnsGateway;
  certificates: CertificateAuthority;
  payments: PaymentProvider;
}
export type GatewayName = keyof AdapterGateways;
export type GatewayServices = Omit<Services, 'gateways' | 'contactDetails'>;
export type GatewayFactories = {
  readonly [G in GatewayName]?: (services: GatewayServices) => Promise<AdapterGateways[G]>;
};

/**
 * One third party, in a folder of its own. This file declares it and is always loaded; the code
 * behind it is loaded by `gateways` when it is used.
 */
export interface Adapter {
  /** As settings and stored rows name it. Never changes. */
  readonly name: string;
  /** Not used where its `of` is null. Left out: it needs none. */
  readonly settings?: AdapterSettings<unknown>;
  /** The gateways it implements, and how each is created. */
  readonly gateways: GatewayFactories & {
    readonly blobs?: (settings: Settings) => Promise<BlobStore>;
    /** Opens a place for backups that the operator named, such as `s3://bucket/prefix`. */
    readonly backups?: (settings: Settings, to: string) => Promise<BackupPlace>;
  };
  /** Gateways that it implements in some installations only. Left out: in all. */
  readonly when?: Readonly<Partial<Record<GatewayName, (settings: Settings) => boolean>>>;
  /** Its account at a carrier, which can be checked before a server runs. */
  readonly account?: (settings: Settings, log: Log) => Promise<CarrierAccount>;
  /** Servers of the operator's own that it connects to, for `npm run doctor`. */
  readonly servers?: (settings: Settings) => OwnServer[];
  /** Folders of the operator's own that it reads, for `npm run doctor`. */
  readonly folders?: (settings: Settings) => OwnFolder[];
  readonly jobs?: () => Promise<readonly Job[]>;
  /** Its own pages and addresses, besides webhooks. */
  readonly web?: (app: FastifyInstance, services: Services, bodies: BodyReader) => Promise<void>;
}

interface OwnServer {
  /** The setting that names it. */
  variable: string;
  url: string;
  /** Where `url` names none. */
  defaultPort: number;
}

interface OwnFolder {
  /** The setting that names it. */
  variable: string;
  path: string;
  /** What it lacks, as a sentence. Null: nothing. */
  problem: string | null;
}

export interface CarrierAccount {
  /** The name shown to people: "Twilio". */
  label: string;
  /** As `Carrier.checkAccount`. */
  check(): Promise<string | null>;
  close(): Promise<void>;
}
