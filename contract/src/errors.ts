import type { ErrorTexts } from './error-texts.ts';
import { errors } from './generated/errors.ts';

/** Every error code of the API: the codes any endpoint can return, then each module's own (A28). */
export const apiErrors = {
  unauthenticated: { status: 401, text: 'Unauthenticated.' },
  'role.forbidden': { status: 403, text: 'Your role does not allow this.' },
  'scope.missing': {
    status: 403,
    text: 'This token may not do this. Use one with the scope {scope}, or sign in.',
  },
  'scope.session_only': { status: 403, text: 'Keys can’t do this. Sign in.' },
  'network.not_allowed': {
    status: 403,
    text: 'This company can’t be used from your network ({ip}). Connect from one of its networks, or ask an administrator to add yours.',
  },
  csrf_mismatch: { status: 403, text: 'Your session token was out of date. Please try again.' },
  cross_site: {
    status: 403,
    text: 'This request came from another website, so it was blocked. Sign in at {address}.',
  },
  not_found: { status: 404, text: 'We couldn’t find that.' },
  company_required: { status: 422, text: 'Choose a company: send company_id.' },
  precondition_failed: {
    status: 412,
    text: 'Someone else changed this. Reload and try again.',
  },
  'idempotency.mismatch': {
    status: 422,
    text: 'This Idempotency-Key was already used with a different request. Use a new key.',
  },
  'idempotency.running': {
    status: 409,
    text: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  'rate.limited': { status: 429, text: 'Too many requests. Try again in {seconds} seconds.' },
  'form.not_taken': { status: 415, text: 'This endpoint accepts JSON only, no forms or files.' },
  'request.malformed': {
    status: 400,
    text: 'This request can’t be read because it isn’t valid HTTP.',
  },
  'request.timeout': {
    status: 408,
    text: 'The request took too long to arrive. Please try again.',
  },
  busy: { status: 503, text: 'The server is busy. Try again in a few seconds.' },
  'storage.full': {
    status: 507,
    text: 'Couldn’t save because the storage is full. Ask an administrator to free up space.',
  },
  unavailable: {
    status: 503,
    text: 'The server can’t reach its database right now. Try again in a few seconds.',
  },
  'mail.not_set_up': {
    status: 409,
    text: 'This server can’t send email yet. Ask its operator to set SMTP_URL.',
  },
  'link.expired': { status: 403, text: 'Link expired. Please log in.' },
  'file.not_here': { status: 404, text: 'This file isn’t stored on this server.' },
  'bulk.running': { status: 409, text: 'This is still running. Undo it when it has finished.' },
  'bulk.undone': { status: 409, text: 'This was already undone.' },
  'carrier.refused': { status: 409, text: '{reason}' },
  'carrier.unreachable': {
    status: 409,
    text: 'The carrier didn’t respond, so nothing was changed. Try again.',
  },
  'email.taken': {
    status: 409,
    text: 'An account with this email already exists. Sign in instead.',
  },
  ...errors,
} as const satisfies ErrorTexts;

export type ApiErrorCode = keyof typeof apiErrors;

/** The sentence of an error with its facts filled in. */
export function apiErrorText(
  code: ApiErrorCode,
  facts: Readonly<Record<string, string | number>> = {},
): string {
  const text =
    facts['n'] === 1 ? apiErrors[code].text.replace(/(\{n\} \w+)s\b/, '$1') : apiErrors[code].text;
  return text.replace(/\{(\w+)\}/g, (_, k: string) => String(facts[k] ?? ''));
}
