import { sentences } from '#contract/sentences';

/** One error of a response. */
interface ErrorDetail {
  title?: string;
  detail: string;
  field?: string;
  code?: string;
}

/**
 * A failed request. `status` 0: the server was not reached. `fields`: errors for forms; `text`: the
 * sentence of the toast.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly details: ErrorDetail[],
    readonly code: string | null,
    readonly requestId: string | null,
  ) {
    super(status === 401 ? sentences.unauthorized : joinDetails(details));
  }
  /**
   * The sentence of a 401; otherwise the errors joined by lines, or "Unknown error" (A §8, B §8).
   */
  get text(): string {
    return this.message;
  }
  /** First problem of each field, for forms. */
  get fields(): Record<string, string> {
    const out: Record<string, string> = {};
    for (const p of this.details) if (p.field && !(p.field in out)) out[p.field] = p.detail;
    return out;
  }
}

const joinDetails = (problems: readonly ErrorDetail[]): string =>
  problems
    .map((p) => p.detail || p.title)
    .filter(Boolean)
    .join('\n') || sentences.unknown;

const isRecord = (v: unknown): v is Record<string, unknown> =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
const str = (v: unknown): string | undefined => (typeof v === 'string' && v !== '' ? v : undefined);

function parseErrorDetail(entry: unknown): ErrorDetail | null {
  if (typeof entry === 'string') return { detail: entry };
  if (!isRecord(entry)) return null;
  const title = str(entry['title']),
    detail = str(entry['detail']) ?? str(entry['message']) ?? title,
    field = str(entry['field']),
    code = str(entry['code']);
  return detail
    ? {
        detail,
        ...(title && title !== detail && { title }),
        ...(field && { field }),
        ...(code && { code }),
      }
    : null;
}

/** The error is read from `errors`, else the body, else `message` (A §7). */
function parseErrorDetails(body: unknown): ErrorDetail[] {
  const errors = isRecord(body) && 'errors' in body ? body['errors'] : isRecord(body) ? null : body;
  if (Array.isArray(errors))
    return withFallback(
      errors.map(parseErrorDetail).filter((p) => p !== null),
      body,
    );
  if (isRecord(errors)) {
    const found = Object.entries(errors).flatMap(([field, texts]) =>
      (Array.isArray(texts) ? texts : [texts])
        .map((each) => parseErrorDetail(each))
        .filter((p) => p !== null)
        .map((p) => ({ field, ...p })),
    );
    return withFallback(found, body);
  }
  return withFallback(
    typeof errors === 'string' && errors.length < 500 && !errors.trimStart().startsWith('<')
      ? [{ detail: errors }]
      : [],
    body,
  );
}

function withFallback(found: ErrorDetail[], body: unknown): ErrorDetail[] {
  if (found.length) return found;
  const message = isRecord(body) ? (str(body['message']) ?? str(body['detail'])) : undefined;
  return message ? [{ detail: message }] : [];
}

/**
 * The error of a response that isn't 2xx. Status 0 means that no response came; other shapes than
 * ours leave `code` null.
 */
export function toApiError(status: number, body: unknown): ApiError {
  if (status === 0) return new ApiError(0, null, [{ detail: sentences.unreachable }], null, null);
  const code = isRecord(body) ? (str(body['code']) ?? null) : null;
  const first =
    isRecord(body) && Array.isArray(body['errors']) ? parseErrorDetail(body['errors'][0]) : null;
  return new ApiError(
    status,
    body,
    parseErrorDetails(body),
    code ?? first?.code ?? null,
    isRecord(body) ? (str(body['request_id']) ?? null) : null,
  );
}

/** The error the server would return to a role without permission. */
export const forbiddenError = (): ApiError =>
  new ApiError(403, null, [{ detail: sentences.notAllowed }], 'role.forbidden', null);

/** 401, or 500 with an unauthenticated message (A §8). */
export const isUnauthenticated = (r: ApiError): boolean =>
  r.status === 401 ||
  (r.status === 500 &&
    /unauthenticated/i.test(`${r.message} ${isRecord(r.body) ? String(r.body['message']) : ''}`));

/**
 * Whether the server's message is shown as it is: 400, 403, 422, and other errors with a sentence
 * (409 "That number was just taken …").
 */
export const hasOwnMessage = (r: ApiError): boolean =>
  [0, 400, 403, 422].includes(r.status) ||
  ([404, 409, 410, 412, 413, 429].includes(r.status) && r.details.length > 0 && r.code !== null);
