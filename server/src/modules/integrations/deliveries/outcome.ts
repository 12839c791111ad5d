import type { Destination, Outgoing, Verdict } from '../../../gateways/destination.ts';
import type { OutboundAnswer } from '../../../gateways/outbound.ts';
import type { DestinationRow } from '../store.ts';
import type { DeliveryRow } from '../store-deliveries.ts';

/** A delivery that this worker has taken, and what it says. */
export interface Taken {
  row: DeliveryRow;
  destination: DestinationRow;
  kind: Destination;
  outgoing: Outgoing;
  /** The same of facts without contact details, for the log. */
  redacted: Outgoing;
  /** The contact it is about; null: there was none yet. */
  contactId: number | null;
  /** Under which keys it is stored what the receiver calls things, by the provider’s names. */
  recordKeys: Readonly<Record<string, string>>;
}

/** How sending went. */
export interface Outcome {
  verdict: Verdict;
  /** Null: none, as of mail. */
  code: number | null;
  /** Of the answer what the log shows; null: nothing. */
  excerpt: string | null;
  /** What was sent, as the log shows it. */
  request: string;
  /** Seconds that the receiver asked to wait; null: it didn't. */
  waitSeconds: number | null;
}

/** A delivery and how sending it went; null: it wasn't sent. */
export interface Sent {
  taken: Taken;
  outcome: (Outcome & { durationMs: number }) | null;
}

/** What is kept of an answer whoever gave it. */
export const factsOf = (answer: OutboundAnswer): Pick<Outcome, 'code' | 'waitSeconds'> => ({
  code: answer.status,
  waitSeconds: answer.status === null ? null : answer.retryAfterSeconds,
});

/** An answer, or why there is none: the account couldn't be used. */
export type Reply = { answer: OutboundAnswer; unusable: Verdict | null };
