/** A request to an address that a company named. */
export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The answer is read to its end, up to some megabytes; left out: only its beginning. */
  whole?: true;
}

/**
 * What came back: the status and the beginning of the body; or that nothing did. `error` is a sentence
 * for the company's administrators.
 */
export type OutboundAnswer =
  | { status: number; body: string; retryAfterSeconds: number | null }
  | { status: null; error: string };

/** Requests to third parties that companies name. Only the public internet is reached. Never throws. */
export interface Outbound {
  /** `sandbox`: nothing leaves this machine. */
  readonly name: string;
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}
