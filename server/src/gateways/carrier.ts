import type { MessagingCarrier, DeliveryReport, IncomingText } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { PortingCarrier, PortReport } from './porting.ts';
import type { RegistrationCarrier } from './registration.ts';
import type { CarrierTranscript } from './transcription.ts';
import type { VoiceCarrier, VoiceEvent } from './voice.ts';

/**
 * A carrier: its name, the provider ids it serves, the gateways it implements (each is optional)
 * and its webhooks. Several can be connected at once. To add one:
 *
 * 1. `adapters/<name>/adapter.ts` declares it: its settings and how the carrier is created, by
 *    `carrier.ts` beside it. The SDK stays in that folder.
 * 2. One line in `adapters/registry.ts`, then `npm run settings`.
 * 3. `voice` performs commands and reports events through `sink.onVoiceEvents` of its webhooks;
 *    `messaging` sends and implements `findByKey`; `numbers` searches, orders and releases;
 *    `registration` and `porting` submit documents and report their status.
 *    `adapters/shared/carrier-leg-store.ts` stores which of the carrier's calls a leg is, and what
 *    it should be doing.
 * 4. Run the three conformance suites in `server/test/conformance/` on it, and add a column to its
 *    table of call scenarios.
 *
 * Calls and texts store the `name` of their carrier (`call.carrier`, `conversation_item.carrier`),
 * and everything later about them goes to it, so a name never changes. Numbers store a provider id;
 * see `forProvider`.
 */
export interface Carrier {
  readonly name: string;
  /** The name shown to people: "Twilio". */
  readonly label: string;
  /** B §3: 1 Bandwidth, 2 Somos, 3 Twilio, 4 Bandwidth Dashboard. */
  readonly providerIds: readonly ProviderId[];
  readonly voice?: VoiceCarrier | undefined;
  readonly messaging?: MessagingCarrier | undefined;
  readonly numbers?: NumberInventory | undefined;
  readonly registration?: RegistrationCarrier | undefined;
  readonly porting?: PortingCarrier | undefined;
  /**
   * It only keeps numbers (the toll-free registry): calls, texts and registrations of them go
   * through the first carrier.
   */
  readonly registryOnly?: true | undefined;
  /** Its webhooks, outside `/api`. The web process registers them. */
  readonly webhooks?: readonly CarrierWebhook[] | undefined;
  /**
   * Called once a process, before any command. For events that no webhook reports, such as a number
   * that cannot be called.
   */
  attachEventSink?(sink: CarrierEventSink): void;
  /**
   * Checks our account. Resolves to a warning for operators, or null. Throws CarrierRejectedError
   * when the account is refused, and another error when the carrier does not answer.
   */
  checkAccount?(): Promise<string | null>;
  close?(): Promise<void>;
}

export type ProviderId = 1 | 2 | 3 | 4;

export interface CarrierWebhook {
  /** Begins with `/carriers/<name>/`; may have `:parameters`. */
  readonly path: string;
  /** POST when left out. */
  readonly method?: 'GET' | 'POST' | undefined;
  /**
   * Authenticates the request (403 and no change when that fails), stores what it reports, and only
   * then responds with success. An error becomes 503, so that the carrier sends the webhook again.
   */
  handle(request: WebhookRequest, sink: CarrierEventSink): Promise<WebhookResponse>;
}

export interface WebhookRequest {
  method: string;
  /**
   * The URL as the carrier knows it: PUBLIC_URL, path and query, independent of proxies. Signatures
   * cover it.
   */
  url: string;
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw body. */
  body: Buffer;
  /** The client's address, by the trusted proxies. For allow lists. */
  ip: string;
}
export interface WebhookResponse {
  status: number;
  type?: string | undefined;
  body?: string | Buffer | undefined;
  /** Called when the response has been sent, or its connection has broken. */
  afterSend?: (() => Promise<void>) | undefined;
}

/**
 * Where webhooks report to. Each call resolves when everything is stored; repeating it changes
 * nothing.
 */
export interface CarrierEventSink {
  /** `performed` resolves when the resulting commands were sent to the carrier. */
  onVoiceEvents(events: readonly VoiceEvent[]): Promise<{ performed: Promise<void> }>;
  onTexts(texts: readonly IncomingText[]): Promise<void>;
  onDeliveryReports(reports: readonly DeliveryReport[]): Promise<void>;
  /**
   * Registrations that changed, by the carrier's reference. Each is fetched afterwards, so extra
   * ones do no harm.
   */
  onRegistrationChanges(refs: readonly string[]): Promise<void>;
  onPortReports(reports: readonly PortReport[]): Promise<void>;
  /** Transcripts made by the carrier. */
  onTranscripts?(arrived: readonly CarrierTranscript[]): Promise<void>;
}

/** All connected carriers. */
export interface Carriers {
  readonly all: readonly Carrier[];
  /** The first one in the setting CARRIER. */
  readonly primary: Carrier;
  byName(name: string): Carrier | undefined;
  /**
   * Our own exchange, which browsers and SIP phones use; null when it does not run. It need not be
   * in CARRIER.
   */
  readonly exchange: VoiceCarrier | null;
  /** The webhooks of all carriers and of our exchange. */
  readonly webhooks: readonly { carrier: string; webhooks: readonly CarrierWebhook[] }[];
  /** The carrier of this provider's numbers; the first one when no connected carrier serves it. */
  forProvider(id: number): Carrier;
  /**
   * The carrier of one of our numbers; null when it is not connected, so that the number cannot be
   * used. The sandbox's numbers always stay with the sandbox, and it never serves a real carrier's.
   */
  forNumber(number: { providerId: number; providerRef: string | null }): Carrier | null;
  /**
   * The carrier whose inventory has this provider's numbers. Differs from `forProvider` only for a
   * registry.
   */
  inventoryOwner(id: number): Carrier;
  // These throw CarrierNotConnectedError when the carrier is not connected or lacks the capability.
  voice(name: string): VoiceCarrier;
  messaging(name: string): MessagingCarrier;
  registration(name: string): RegistrationCarrier;
  /**
   * Registers this provider's numbers: its own carrier or, when that one cannot (Somos), the first
   * that can.
   */
  registrationProvider(providerId: number): RegistrationCarrier;
  porting(name: string): PortingCarrier;
  /** The first carrier of CARRIER that can port numbers in. */
  readonly portingProvider: PortingCarrier;
}

/**
 * The carrier refused, because of our account or the request: retrying does not help until that is
 * fixed. The message is a sentence for people.
 */
export class CarrierRejectedError extends Error {
  override name = 'CarrierRefused';
  constructor(
    readonly problem: AccountProblem,
    sentence: string,
  ) {
    super(sentence);
  }
}
export type AccountProblem =
  | 'credentials'
  | 'permission'
  | 'suspended'
  | 'trial'
  | 'address'
  | 'bundle'
  | 'other';
/** What is wrong with our account and who has to fix it. `detail`: the carrier's own message. */
export function accountProblemError(
  carrier: string,
  problem: AccountProblem,
  detail = '',
): CarrierRejectedError {
  const ownWords = detail.trim().replace(/[.\s]*$/, '');
  const sentence: Record<AccountProblem, string> = {
    credentials: `${carrier} rejected our credentials. An operator must correct them in the server’s settings.`,
    permission: `${carrier} doesn’t allow our account to do this. An operator must enable it at ${carrier}.`,
    suspended: `Our ${carrier} account is suspended. An operator must resolve this with ${carrier}.`,
    trial: `Our ${carrier} account is a trial account and can’t do this. An operator must upgrade it at ${carrier}.`,
    address: `${carrier} needs an address on file for this number. An operator must add one at ${carrier}.`,
    bundle: `${carrier} needs approved identity documents (a regulatory bundle) for this number. An operator must add them at ${carrier}.`,
    other: `${carrier} rejected this${ownWords ? `: ${ownWords}` : ''}.`,
  };
  return new CarrierRejectedError(problem, sentence[problem]);
}

export class CarrierNotConnectedError extends Error {
  override name = 'CarrierNotConnected';
  constructor(
    readonly carrier: string,
    capability: string,
  ) {
    super(`The carrier ${carrier} isn’t connected for ${capability}. Name it in CARRIER.`);
  }
}
