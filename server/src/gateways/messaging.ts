/** Texts and pictures out, and what carriers report of them. Numbers are E.164. */
export interface OutgoingText {
  from: string;
  to: string;
  text: string;
  /** Signed, short-lived URLs from which the carrier fetches the files. */
  media: { url: string; contentType: string; bytes: number }[];
  /** Idempotency key: the carrier sends one text per key. */
  key: string;
}
export type SendResult =
  | { state: 'accepted'; providerId: string }
  /** The carrier refused. `permanent`: do not try again. */
  | { state: 'refused'; code: string; reason: string; permanent: boolean }
  /** No response: it may or may not have been sent. Look it up by key before anything else. */
  | { state: 'unknown'; reason: string };

export interface MessagingCarrier {
  readonly name: string;
  /** True when a repeated key is guaranteed to send once. */
  readonly isIdempotent: boolean;
  send(text: OutgoingText): Promise<SendResult>;
  /** The text with this key; null when the carrier does not know it. */
  findByKey(key: string): Promise<{ providerId: string; state: DeliveryReport['state'] } | null>;
  /** A received file; null when the carrier no longer has it. Throws when it is unreachable. */
  fetchMedia(url: string): Promise<{ bytes: Buffer; contentType: string } | null>;
}

/** A text received for one of our numbers. Idempotent by (carrier, id). */
export interface IncomingText {
  id: string;
  from: string;
  to: string;
  text: string;
  media: { url: string; contentType: string; name: string }[];
  at: number;
  /**
   * The carrier recognized this keyword and has replied already: opt-outs change, but we send no
   * reply.
   */
  answered?: 'stop' | 'start' | 'help' | undefined;
}
/**
 * A receipt. May arrive twice and out of order. `key`: the text's own, by which a campaign's texts
 * are found. `code`: a TextErrorKind (adapters/shared/text-errors.ts). `reason`: a sentence for people.
 * `sent` with a code: the delivery was not confirmed.
 */
export interface DeliveryReport {
  id: string;
  providerId: string;
  key: string | null;
  state: 'sent' | 'delivered' | 'undelivered' | 'failed';
  code: string | null;
  reason: string | null;
  at: number;
}
