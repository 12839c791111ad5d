/**
 * Moving numbers from another carrier. Days are `YYYY-MM-DD`. What becomes of an order is reported by `PortReport`s, which
 * may come late, twice or with some missing in between: each one says where the order stands, not what changed.
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
  /** Ours. Submitting twice under one key is one order; submitting again after a rejection or with more documents amends it. */
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
  /** Counts up; a report with a number we have seen is an old one. */
  seq: number;
  /** The day both carriers agreed on. */
  focDate: string | null;
  wanted: PortDocument['kind'][];
  rejection: { code: string; text: string; fix: string } | null;
}
export interface Portability {
  number: string;
  portable: boolean;
  /** Fits behind "{number} cannot be moved: ". */ reason: string | null;
  losingCarrier: string | null;
}
export interface PortingCarrier {
  readonly name: string;
  checkPortability(numbers: readonly string[]): Promise<Portability[]>;
  /** Order. `refused`: the carrier said no, in its words, and has no order. Throws when it is away or its answer was lost. */
  submit(
    order: PortOrder,
  ): Promise<{ ref: string } | { refused: NonNullable<PortReport['rejection']> }>;
  /**
   * Cancel whatever was ordered under our key, an order whose answer was lost included. `none`: the carrier has no such order.
   * Canceling twice is canceling once. Throws when the carrier is away.
   */
  cancel(key: string): Promise<'canceled' | 'too_late' | 'none'>;
  /** Where the order under our key stands; null when the carrier has none. */
  getOrder(key: string): Promise<PortReport | null>;
}
