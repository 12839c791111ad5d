/** Faxes out and in, and what carriers report of them. Numbers are E.164. */
export interface OutgoingFax {
  from: string;
  to: string;
  /** What is sent. A carrier fetches it from `url` (signed, a week), or it is handed over. */
  document: {
    url: string;
    contentType: 'application/pdf';
    pages: number;
    bytes(): Promise<Buffer>;
  };
  /** The carrier sends one fax per key, however often it is asked. */
  key: string;
}
export type FaxResult =
  | { state: 'accepted'; providerId: string }
  /** The carrier said no; `permanent` ones are not tried again. `code` is our word (`FaxTrouble`). */
  | { state: 'refused'; code: string; permanent: boolean }
  /** No answer: it may or may not have been sent. Ask by key before anything else. */
  | { state: 'unknown' };

export interface FaxCarrier {
  readonly name: string;
  /** True when a repeated key is guaranteed to send once. */
  readonly isIdempotent: boolean;
  send(fax: OutgoingFax): Promise<FaxResult>;
  /** What became of a fax; null = never heard of it. A carrier that keeps no keys is asked by its own id. */
  findFax(fax: {
    key: string;
    providerId: string | null;
  }): Promise<{ providerId: string; state: FaxReport['state']; code: string | null } | null>;
  /** What a webhook says, from the bytes as they came; null when it was not this carrier that signed it. `cameAt`: milliseconds since 1970. */
  parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    cameAt: number,
  ): { faxes: IncomingFax[]; reports: FaxReport[] } | null;
  /** The pages that arrived (PDF or TIFF). Throws when the carrier is away; null when it no longer has them. */
  fetchDocument(url: string): Promise<Buffer | null>;
}

/** No carrier faxes here: FAX_CARRIER names none. `whyNot` refuses before anything is handed over. */
export const noFaxCarrier: FaxCarrier = {
  name: 'none',
  isIdempotent: true,
  send: async () => ({ state: 'refused', code: 'not_set_up', permanent: true }),
  findFax: async () => null,
  parseWebhook: () => null,
  fetchDocument: async () => null,
};

/** A fax that arrived whole for one of our numbers. Idempotent by (carrier, id). */
export interface IncomingFax {
  id: string;
  from: string;
  to: string;
  pages: number;
  url: string;
  at: number;
}
/** May come twice and out of order. `code` is our word for the failure. */
export interface FaxReport {
  providerId: string;
  key: string | null;
  state: 'sending' | 'sent' | 'delivered' | 'failed';
  code: string | null;
  at: number;
}
