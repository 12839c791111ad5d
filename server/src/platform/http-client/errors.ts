/** Why a client of ours gave a request up. */
export type HttpClientErrorCode =
  | 'DEADLINE'
  | 'TOO_LARGE'
  | 'NOT_WEB'
  | 'PRIVATE_ADDRESS'
  | 'TOO_MANY_REDIRECTS';

export class HttpClientError extends Error {
  override name = 'HttpClientError';
  constructor(
    readonly code: HttpClientErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Errors before a byte of the request left: `RESTING` is an open circuit. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'PRIVATE_ADDRESS',
  'NOT_WEB',
  'RESTING',
]);

/** A request that failed without an answer: true when it was certainly never taken, false when nobody knows. */
export const wasNeverSent = (error: unknown): boolean =>
  beforeSending.has(String((error as { code?: unknown } | null)?.code));
