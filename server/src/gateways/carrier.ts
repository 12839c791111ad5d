import type { MessagingCarrier, DeliveryReport, IncomingText } from './messaging.ts';
import type { NumberInventory } from './number-inventory.ts';
import type { PortingCarrier, PortReport } from './porting.ts';
import type { RegistrationCarrier } from './registration.ts';
import type { CarrierTranscript } from './transcription.ts';
import type { VoiceCarrier, VoiceEvent } from './voice.ts';

/**
 * Several carriers at once. A carrier is a bundle: what it is called, which provider ids it answers for, the ports it
 * fills (each may be missing), and the addresses it reports to. To add one:
 *
 * 1. `adapters/<name>/carrier.ts` exports `<name>Carrier(settings, db, …): Carrier`; the SDK stays in that folder.
 * 2. One line in `adapters/carriers.ts` (`connectable`), its variables in `platform/settings.ts`, then `npm run settings`.
 * 3. `voice` performs commands and says events through `hear.voice` of its webhooks; `messaging` sends and answers
 *    `askByKey`; `numbers` finds, orders and gives back; `registration` and `porting` hand papers in and answer where they
 *    stand. Legs that need a memory of ours (our leg id → the carrier's call
 *    id, what a leg should be doing) have one in `adapters/leg-book.ts`.
 * 4. The three conformance suites in `server/test/conformance/` and one column in its table of call scenarios.
 *
 * A call and a text remember the carrier they went by (`call.carrier`, `conversation_item.carrier`) by `name`, and everything
 * later about them goes to that one: a name is for ever. A number remembers its provider id; `ofProvider` leads from there.
 */
export interface Carrier {
  readonly name: string;
  /** As people read it: "Twilio". */
  readonly label: string;
  /** B §3: 1 Bandwidth, 2 Somos, 3 Twilio, 4 Bandwidth Dashboard. */
  readonly providerIds: readonly ProviderId[];
  readonly voice?: VoiceCarrier | undefined;
  readonly messaging?: MessagingCarrier | undefined;
  readonly numbers?: NumberInventory | undefined;
  readonly registration?: RegistrationCarrier | undefined;
  readonly porting?: PortingCarrier | undefined;
  /** It keeps numbers and carries nothing (the toll-free registry): their calls, texts and registrations go by the first carrier. */
  readonly registryOnly?: true | undefined;
  /** Where it reports, outside `/api`. Registered by the web process as they stand. */
  readonly webhooks?: readonly CarrierWebhook[] | undefined;
  /** Given once a process, before any command: for what a carrier answers at once and a webhook would never say (a number that cannot be called). */
  attachEventSink?(sink: CarrierEventSink): void;
  /**
   * Asks something harmless about our account. Answers what an operator should know of it, or null; throws `CarrierRefused`
   * when the account is refused, anything else when nobody answered.
   */
  checkAccount?(): Promise<string | null>;
  close?(): Promise<void>;
}

export type ProviderId = 1 | 2 | 3 | 4;

export interface CarrierWebhook {
  /** Begins with `/carriers/<name>/`; may hold `:parts`. POST unless said otherwise. */
  readonly path: string;
  readonly method?: 'GET' | 'POST' | undefined;
  /**
   * Prove it genuine (403 and nothing changed when it is not), hear it, answer. What it heard must be stored before it
   * answers with success. A throw becomes 503, so that the carrier says it again.
   */
  handle(request: WebhookRequest, sink: CarrierEventSink): Promise<WebhookResponse>;
}

export interface WebhookRequest {
  method: string;
  /** The address as the carrier knows it: PUBLIC_URL, path and query, whatever proxies stand between. Signatures are over this. */
  url: string;
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came. */
  body: Buffer;
  /** Who connected, as far as trusted proxies say: for address lists. */
  ip: string;
}
export interface WebhookResponse {
  status: number;
  type?: string | undefined;
  body?: string | Buffer | undefined;
  /** Called when the answer has left, or its connection has broken. */
  afterSend?: (() => Promise<void>) | undefined;
}

/** What a webhook tells the product. Each resolves when everything is stored; saying the same again changes nothing. */
export interface CarrierEventSink {
  /** `performed` resolves when the commands that followed were handed to the carrier. */
  onVoiceEvents(events: readonly VoiceEvent[]): Promise<{ performed: Promise<void> }>;
  onTexts(texts: readonly IncomingText[]): Promise<void>;
  onDeliveryReports(reports: readonly DeliveryReport[]): Promise<void>;
  /** Registrations that moved, by the carrier's reference: each is asked about afterwards, so saying too many is harmless. */
  onRegistrationChanges(refs: readonly string[]): Promise<void>;
  onPortReports(reports: readonly PortReport[]): Promise<void>;
  /** Words of recordings, written down by the carrier. */
  onTranscripts?(arrived: readonly CarrierTranscript[]): Promise<void>;
}

/** All connected carriers. */
export interface Carriers {
  readonly all: readonly Carrier[];
  /** The one that stands first in CARRIER. */
  readonly primary: Carrier;
  byName(name: string): Carrier | undefined;
  /** Our own exchange, where browsers and SIP phones are; null where none runs. It need not be one of CARRIER. */
  readonly exchange: VoiceCarrier | null;
  /** The carrier of numbers of this provider; the first one for a provider nobody connected answers for. */
  forProvider(id: number): Carrier;
  /**
   * The carrier one of our numbers is at; null: that carrier is not connected (any more), so nothing may go by it. What the
   * sandbox sold is always the sandbox's, and the sandbox never serves what a real carrier sold.
   */
  forNumber(number: { providerId: number; providerRef: string | null }): Carrier | null;
  /** Throw CarrierNotConnected when that carrier is not connected (any more) or does not do this. */
  /** In whose inventory numbers of this provider are: another one than `ofProvider` only where a registry carries nothing. */
  inventoryOwner(id: number): Carrier;
  voice(name: string): VoiceCarrier;
  messaging(name: string): MessagingCarrier;
  registration(name: string): RegistrationCarrier;
  /** Who registers numbers of this provider: its own carrier, or, when that one registers nothing (Somos), the first that does. */
  registrationProvider(providerId: number): RegistrationCarrier;
  porting(name: string): PortingCarrier;
  /** Who takes numbers over from elsewhere: the first of CARRIER that does. */
  readonly portingProvider: PortingCarrier;
}

/**
 * The carrier answered and said no, because of our account there or of what was asked: trying again changes nothing until
 * somebody mends it. The message is a sentence for people.
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
/** What is wrong with the account at this carrier and who mends it; `detail` are the carrier's own words. */
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
