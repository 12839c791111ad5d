/**
 * Porting numbers in from another carrier. Dates are `YYYY-MM-DD`. An order's progress is reported
 * by `PortReport`s, which may be late, repeated or missing: each has the whole state, not a change.
 */
export type PortState =
  | 'submitted'
  | 'documentsRequested'
  | 'inProgress'
  | 'firmOrderScheduled'
  | 'completed'
  | 'rejected'
  | 'canceled';
export interface PortDocument {
  kind: 'bill' | 'loa' | 'csr' | 'id' | 'other';
  name: string;
  contentType: string;
  bytes: Buffer;
}
export interface PortOrder {
  /**
   * Our idempotency key. Submitting it again after a rejection or with more documents amends the
   * order.
   */
  key: string;
  numbers: readonly string[];
  service: 1 | 2;
  losingCarrier: string;
  accountNumber: string;
  pin: string | null;
  billingTelephoneNumber: string;
  customerType: 'business' | 'residential';
  entityName: string;
  authorized: { firstName: string; lastName: string; email: string; phone: string };
  serviceAddress: {
    line1: string;
    line2: string;
    city: string;
    state: string;
    zip: string;
    country: string;
  };
  requestedDate: string;
  partial: boolean;
  documents: readonly PortDocument[];
}
export interface PortReport {
  ref: string;
  key: string;
  state: PortState;
  /** Increases; a report with a number that was seen before is old. */
  seq: number;
  /** The firm order commitment: the date both carriers agreed on. */
  focDate: string | null;
  wanted: PortDocument['kind'][];
  rejection: { code: string; text: string; fix: string } | null;
}
export interface Portability {
  number: string;
  portable: boolean;
  /** Completes "{number} cannot be moved: …". */
  reason: string | null;
  losingCarrier: string | null;
}
export interface PortingCarrier {
  readonly name: string;
  checkPortability(numbers: readonly string[]): Promise<Portability[]>;
  /**
   * Places an order. `refused`: the carrier rejected it, and there is none. Throws when there was
   * no response.
   */
  submit(
    order: PortOrder,
  ): Promise<{ ref: string } | { refused: NonNullable<PortReport['rejection']> }>;
  /**
   * Cancels the order with our key, also when its response was lost. `none`: the carrier has no
   * such order. Cancelling twice changes nothing. Throws when the carrier is unreachable.
   */
  cancel(key: string): Promise<'canceled' | 'too_late' | 'none'>;
  /** The order with our key; null when the carrier has none. */
  getOrder(key: string): Promise<PortReport | null>;
}
