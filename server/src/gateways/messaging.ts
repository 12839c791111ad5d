/** Texts and pictures out, and what carriers report of them. Numbers are E.164. */
export interface OutgoingText {
  from: string;
  to: string;
  text: string;
  /** Addresses from which the carrier may fetch the pictures (signed, short-lived). */
  media: { url: string; contentType: string; bytes: number }[];
  /** The carrier sends one text per key, however often it is asked. */
  key: string;
}
export type SendResult =
  | { state: 'accepted'; providerId: string }
  /** The carrier said no; `permanent` ones are not tried again. */
  | { state: 'refused'; code: string; reason: string; permanent: boolean }
  /** No answer: it may or may not have been sent. Ask by key before anything else. */
  | { state: 'unknown'; reason: string };

export interface MessagingCarrier {
  readonly name: string;
  /** True when a repeated key is guaranteed to send once. */
  readonly isIdempotent: boolean;
  send(text: OutgoingText): Promise<SendResult>;
  /** What became of a key; null = never heard of it. */
  findByKey(key: string): Promise<{ providerId: string; state: DeliveryReport['state'] } | null>;
  /** What a webhook says, from the bytes as they came; null when it was not this carrier that signed it. */
  parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): { texts: IncomingText[]; reports: DeliveryReport[] } | null;
  /** The bytes of a picture that arrived. Throws when the carrier is away; null when it no longer has it. */
  fetchMedia(url: string): Promise<{ bytes: Buffer; contentType: string } | null>;
}

/** A text that arrived for one of our numbers. Idempotent by (carrier, id). */
export interface IncomingText {
  id: string;
  from: string;
  to: string;
  text: string;
  media: { url: string; contentType: string; name: string }[];
  at: number;
  /** The carrier took it for this keyword and has answered it already: it changes the opt-outs and is not answered again. */
  answered?: 'stop' | 'start' | 'help' | undefined;
}
/**
 * A receipt. May come twice and out of order. `key` is that of the text, brought back: a campaign's texts are found by it only.
 * `code` is our word for the failure (`TextWord` in adapters/text-errors.ts), `reason` a sentence for people.
 * `sent` with a code: nobody confirmed the delivery.
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
