/** Faxes out and in, and what carriers report of them. Numbers are E.164. */
export interface OutgoingFax {
  from: string;
  to: string;
  /** A carrier fetches it from `url` (signed, valid for a week) or gets its bytes. */
  document: {
    url: string;
    contentType: 'application/pdf';
    pages: number;
    bytes(): Promise<Buffer>;
  };
  /** Idempotency key: the carrier sends one fax per key. */
  key: string;
}
export type FaxResult =
  | { state: 'accepted'; providerId: string }
  /** The carrier refused. `permanent`: do not try again. `code`: a FaxErrorCode. */
  | { state: 'refused'; code: string; permanent: boolean }
  /** No response: it may or may not have been sent. Look it up before anything else. */
  | { state: 'unknown' };

export interface FaxCarrier {
  readonly name: string;
  /** True when a repeated key is guaranteed to send once. */
  readonly isIdempotent: boolean;
  send(fax: OutgoingFax): Promise<FaxResult>;
  /**
   * A fax's state; null when the carrier does not know it. A carrier that stores no keys is asked
   * by its own id.
   */
  findFax(fax: {
    key: string;
    providerId: string | null;
  }): Promise<{ providerId: string; state: FaxReport['state']; code: string | null } | null>;
  /**
   * Reads a webhook's raw body; null when the signature is wrong. `cameAt`: epoch ms of its
   * arrival.
   */
  parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    cameAt: number,
  ): { faxes: IncomingFax[]; reports: FaxReport[] } | null;
  /**
   * The received document (PDF or TIFF); null when the carrier no longer has it. Throws when it is
   * unreachable.
   */
  fetchDocument(url: string): Promise<Buffer | null>;
}

/** FAX_CARRIER names no carrier: every fax is refused. */
export const noFaxCarrier: FaxCarrier = {
  name: 'none',
  isIdempotent: true,
  send: async () => ({ state: 'refused', code: 'not_set_up', permanent: true }),
  findFax: async () => null,
  parseWebhook: () => null,
  fetchDocument: async () => null,
};

/** A fax received for one of our numbers. Idempotent by (carrier, id). */
export interface IncomingFax {
  id: string;
  from: string;
  to: string;
  pages: number;
  url: string;
  at: number;
}
/** May arrive twice and out of order. `code`: a FaxErrorCode. */
export interface FaxReport {
  providerId: string;
  key: string | null;
  state: 'sending' | 'sent' | 'delivered' | 'failed';
  code: string | null;
  at: number;
}
