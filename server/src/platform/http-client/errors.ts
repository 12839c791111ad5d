/** Why our HTTP client gave up a request. */
type HttpClientErrorCode =
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

/** Error codes from before a byte of the request was sent. `RESTING` is an open circuit. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'PRIVATE_ADDRESS',
  'NOT_WEB',
  'RESTING',
]);

/**
 * For a request that failed without a response: true when the target certainly did not receive it,
 * false when that is unknown.
 */
export const wasNeverSent = (error: unknown): boolean =>
  beforeSending.has(String((error as { code?: unknown } | null)?.code));

/** The `outcome` label of an attempt that failed without a response. */
export function outcomeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === 'RESTING') return 'circuit_open';
  if (code === 'DEADLINE' || String(code).endsWith('_TIMEOUT')) return 'timeout';
  if (error instanceof HttpClientError) return error.code.toLowerCase();
  return wasNeverSent(error) ? 'unreachable' : 'broken';
}
