import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'call.ended': { status: 409, text: 'This call has already ended.' },
  'call.not_yours': { status: 403, text: 'Only someone on this call can do that.' },
  'call.not_now': { status: 409, text: 'The call has changed, so this is no longer possible.' },
  'call.cannot': {
    status: 409,
    text: 'This call’s carrier can’t connect more than two people.',
  },
  'call.slot_taken': {
    status: 409,
    text: 'Slot {slot} is taken. Choose another, or leave it empty.',
  },
  'calling.busy': {
    status: 409,
    text: 'You’re already on a call. End it before you start another.',
  },
  'calling.full': {
    status: 409,
    text: 'All lines are busy right now. Try again in a moment.',
  },
  'calling.not_set_up': {
    status: 403,
    text: 'Calling isn’t set up for you. Ask an administrator to enable it.',
  },
  'calling.blocked': { status: 403, text: '{number} is blocked. Unblock it to call.' },
  'calling.emergency': {
    status: 403,
    text: 'You can’t place emergency calls here. Use another phone to call 911.',
  },
  'calling.caller_id': { status: 422, text: 'Choose one of your own numbers to call from.' },
  'lookup.not_configured': {
    status: 409,
    text: 'Caller ID lookup isn’t set up on this server, or its key isn’t taken. Ask the operator to set TRESTLE_API_KEY.',
  },
  'lookup.away': {
    status: 409,
    text: 'The caller ID lookup provider didn’t respond. Try again.',
  },
  'lookup.not_found': {
    status: 404,
    text: 'Enhanced Caller ID isn’t available for this number. The number may be withheld, or missing from national databases.',
  },
} as const satisfies ErrorTexts;
