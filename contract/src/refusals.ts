/**
 * Refusals by stable code: what failed and what to do, one sentence, no codes on screen (A28). `{name}` is filled from
 * the refusal's facts. Status 422 unless said. Sentences the specification gives stand word for word.
 */
export const refusals = {
  'unauthenticated': { status: 401, text: 'Unauthenticated.' },
  'role.forbidden': { status: 403, text: 'Your role does not allow this.' },
  'csrf_mismatch': { status: 403, text: 'Your session token was out of date. Please try again.' },
  'not_found': { status: 404, text: 'We could not find that.' },
  'company_required': { status: 422, text: 'Say which company this is about: send company_id.' },
  'precondition_failed': { status: 412, text: 'This was changed by someone else meanwhile. Reload and try again.' },
  'idempotency.mismatch': { status: 422, text: 'This Idempotency-Key was used before with a different request. Use a new key.' },
  'idempotency.running': { status: 409, text: 'The first request with this Idempotency-Key is still running. Try again in a moment.' },
  'rate.limited': { status: 429, text: 'Too many requests. Try again in {seconds} seconds.' },
  'unavailable': { status: 503, text: 'The service cannot reach its database right now. Try again in a few seconds.' },
  'login.locked': { status: 429, text: 'Too many attempts. Try again in {minutes} minutes.' },
  'company.has_activity': { status: 409, text: 'You cannot delete an account that has numbers added or has any activity on those numbers' },
  'reset.expired': { status: 422, text: 'Your reset link has expired. Please try to resend it again.' },
  'numbers.taken': { status: 409, text: 'That number was just taken. Please choose another.' },
  'numbers.limit': { status: 422, text: 'You have reached your number limit. Request an increase to continue.' },
  'numbers.limit_request_open': { status: 409, text: 'A request to raise your number limit is already open.' },
  'numbers.not_releasing': { status: 409, text: 'Only a number that is being released can be kept.' },
  'number.in_pool': { status: 409, text: 'This number belongs to a tracking pool. Remove it from the pool first.' },
  'contact.unsubscribed': { status: 422, text: 'This contact opted out and cannot be texted.' },
  'contact.blocked': { status: 422, text: '{number} is blocked. Unblock it to send a message.' },
  'number.not_verified': { status: 422, text: 'This number is not yet approved for texting.' },
  'number.no_sms': { status: 422, text: 'This number cannot send texts.' },
  'message.empty': { status: 422, text: 'Write a message or attach a file.' },
  'message.media_too_large': { status: 422, text: 'These files are too large to send together. The limit is {limit}.' },
  'message.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'message.too_late': { status: 422, text: 'Choose a time within one year.' },
  'number.gone': { status: 422, text: 'This number is no longer yours, so nothing can be sent from it.' },
  'contact.anonymous': { status: 422, text: 'This caller withheld their number and cannot be texted.' },
  'contact.exists': { status: 409, text: 'Another contact has this number already.' },
  'message.no_recipient': { status: 422, text: 'Choose a conversation, or one of your numbers and whom to write to.' },
  'message.media_too_many': { status: 422, text: 'A message carries at most {limit} files.' },
  'message.media_unknown': { status: 422, text: '{name} is not a kind of file that can be texted.' },
  'note.not_yours': { status: 403, text: 'Only the person who wrote this note can change it.' },
  'message.not_scheduled': { status: 409, text: 'Only a message that is still scheduled can be changed.' },
  'call.ended': { status: 409, text: 'This call has already ended.' },
  'call.not_yours': { status: 403, text: 'Only someone who is in this call can do that.' },
  'calling.busy': { status: 409, text: 'You are already in a call. End it before you start another.' },
  'calling.not_set_up': { status: 403, text: 'Calling is not set up for you. Ask an administrator to enable it.' },
  'calling.blocked': { status: 403, text: '{number} is blocked. Unblock it to call.' },
  'calling.emergency': { status: 403, text: 'Emergency calls cannot be placed here. Use another phone to call 911.' },
  'calling.caller_id': { status: 422, text: 'Choose one of your own numbers to call from.' },
  'lookup.not_configured': { status: 409, text: 'Caller identity is not configured. Connect a lookup provider under Integrations.' },
  'lookup.not_found': { status: 404, text: 'Enhanced Caller ID could not be retrieved. The caller may have withheld their number, or it is not in national databases.' },
  'carrier.unreachable': { status: 409, text: 'The carrier did not answer. Nothing was changed. Please try again.' },
  'block.exists': { status: 409, text: '{number} is already blocked.' },
  'email.taken': { status: 409, text: 'An account with this e-mail already exists. Sign in instead.' },
  'signup.closed': { status: 403, text: 'Sign-up is closed here. Ask an administrator for an invitation.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalCode = keyof typeof refusals;

/** The sentence of a refusal with its facts filled in. */
export function refusalText(code: RefusalCode, facts: Readonly<Record<string, string | number>> = {}): string {
  return refusals[code].text.replace(/\{(\w+)\}/g, (_, k: string) => String(facts[k] ?? ''));
}

/** Sentences of the specification's error catalogue that the client shows by itself (A §8, B §8). */
export const sentences = {
  unauthorized: "You're not authorized to perform this action",
  slowDown: "Oops! It appears that you've reached the limit of allowed requests per second. As a result, the APP will respond at a slower speed for your subsequent requests.",
  unknownWithEmail: 'An unknown error has occurred, please try again or contact support by emailing us at {email}',
  unknown: 'Unknown error',
  linkExpired: 'Link expired. Please log in.',
  forgotFailed: 'Oops! Something went wrong. Please try again later.',
  resetExpired: 'Your reset link has expired. Please try to resend it again.',
  passwordChangedLogin: 'Your password was successfully changed',
  conversationsFailedTitle: 'Error loading conversations',
  conversationsFailed: 'Please try again later.',
  callUpdateFailed: 'Failed to update call',
  blocked: '{number} has been blocked',
  unblocked: '{number} has been unblocked',
  wrongCredentials: 'These credentials do not match our records.',
  invalidData: 'The given data was invalid.',
  unauthenticated: 'Unauthenticated.',
} as const;
