import { apiErrors, apiErrorText, sentences, type ApiErrorCode } from '#contract';

/** An API error as every layer passes it on: a stable code, a status, a message and its data. */
export class ApiError extends Error {
  readonly status: number;
  /** The company in which it happened; undefined: in none, or none is known yet. */
  companyId?: number;
  constructor(
    readonly code: ApiErrorCode | 'invalid',
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly errors?: Record<string, string[]>,
    readonly extra: Record<string, unknown> = {},
    readonly problems?: readonly { code: string; title: string; detail: string }[],
  ) {
    super(code === 'invalid' ? sentences.invalidData : apiErrorText(code, params));
    this.status = code === 'invalid' ? 422 : apiErrors[code].status;
  }
}

/** The error, with the company it happened in; others as they are. */
export function inCompany(error: unknown, companyId: number): unknown {
  if (error instanceof ApiError && companyId) error.companyId ??= companyId;
  return error;
}

/** Stops and responds with this error. `more` is merged into the error's `data`. */
export function fail(
  code: ApiErrorCode,
  facts: Readonly<Record<string, string | number>> = {},
  more: Record<string, unknown> = {},
): never {
  throw new ApiError(code, facts, undefined, more);
}
/** Fails for several reasons at once, each with what to do about it (`title`, `detail`). */
export function failAll(
  code: ApiErrorCode,
  problems: readonly { code: string; title: string; detail: string; [more: string]: unknown }[],
): never {
  throw new ApiError(code, {}, undefined, {}, problems);
}
/** Fails with 422 at one or more fields. */
export function invalid(errors: Record<string, string | string[]>): never {
  throw new ApiError(
    'invalid',
    {},
    Object.fromEntries(Object.entries(errors).map(([k, v]) => [k, Array.isArray(v) ? v : [v]])),
  );
}
/**
 * Throws `not_found`: the object does not exist, or is not the caller's. Both get the same
 * response, so that existence is not revealed.
 */
export function notFound(): never {
  throw new ApiError('not_found');
}

/** The response body (the members of A1 and of RFC 9457 together). */
export function problemBody(error: ApiError, requestId: string) {
  const validation = error.code === 'invalid' && error.errors;
  return {
    message: error.message,
    errors: validation
      ? error.errors
      : (error.problems ?? [
          { code: error.code, title: error.message, detail: error.message, ...error.extra },
        ]),
    type: `about:blank#${error.code}`,
    title: error.message,
    status: error.status,
    detail: validation
      ? Object.values(error.errors ?? {})
          .flat()
          .join(' ')
      : error.message,
    code: error.code,
    request_id: requestId,
  };
}

/** The disk cannot be written: full, over its quota, or read-only. */
export const isStorageError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as { code?: string } | null)?.code ?? '');
/** The database can't be reached, or ended the statement for a reason of its own. */
export const isUnavailable = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08|57P0|53|40001|40P01|55P03)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout/.test(
      message,
    )
  );
};
/**
 * PostgreSQL errors: unavailable → 503, full → 507; an impossible value or a foreign reference →
 * 422, never 500.
 */
function databaseError(error: Error & { code?: string }): ApiError | null {
  const code = error.code ?? '';
  if (code === '53100') return new ApiError('storage.full');
  // The statement exceeded the time limit of a request.
  if (code === '57014') return new ApiError('busy');
  if (isUnavailable(error)) return new ApiError('unavailable');
  if (code === '23503')
    return new ApiError('invalid', {}, { id: ['Something this refers to doesn’t exist.'] });
  if (code === '23505') return new ApiError('invalid', {}, { id: ['This already exists.'] });
  if (/^22/.test(code)) return new ApiError('invalid', {}, { body: ['A value is out of range.'] });
  return null;
}
function requestError(error: Error & { statusCode?: number; code?: string }): ApiError | null {
  const status = error.statusCode ?? 0;
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('not_found');
  if (status === 413 || error.code === 'FST_REQ_FILE_TOO_LARGE')
    return new ApiError('invalid', {}, { file: ['The file is too large.'] });
  return status >= 400 && status < 500
    ? new ApiError(
        'invalid',
        {},
        {
          body: [
            error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
              ? 'Send JSON, or a form where files are accepted.'
              : 'This request can’t be read. Check that it is complete JSON or a complete form.',
          ],
        },
      )
    : null;
}
/** The API error to respond with for an error; null for a bug of ours. */
export function knownError(error: Error & { statusCode?: number; code?: string }): ApiError | null {
  if (error instanceof ApiError) return error;
  return isStorageError(error)
    ? new ApiError('storage.full')
    : (databaseError(error) ?? requestError(error));
}
