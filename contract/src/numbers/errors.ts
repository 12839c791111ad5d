import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'numbers.taken': { status: 409, text: 'That number was just taken. Please choose another.' },
  'numbers.limit': {
    status: 422,
    text: 'You have reached your number limit. Request an increase to continue.',
  },
  'numbers.limit_request_open': {
    status: 409,
    text: 'You already have an open request to raise your number limit.',
  },
  'numbers.not_releasing': {
    status: 409,
    text: 'Only a number that is being released can be kept.',
  },
  'number.in_pool': {
    status: 409,
    text: 'This number belongs to a tracking pool. Remove it from the pool first.',
  },
  'template.exists': {
    status: 409,
    text: 'Another template has this name. Choose a different name.',
  },
  'template.in_use': {
    status: 409,
    text: 'This template is used by {n} numbers. Choose another template for them first.',
  },
  'numbers.cannot_rotate': { status: 409, text: 'This number can’t be exchanged: {reason}' },
  'numbers.none_found': {
    status: 409,
    text: 'No other number in this area is available right now. Try again later, or allow another area.',
  },
  'forwarding.exists': {
    status: 409,
    text: 'Another forwarding contact has this number and extension.',
  },
  'forwarding.in_use': {
    status: 409,
    text: 'This forwarding number is used by {n} routes. Choose a replacement first.',
  },
  'number.not_verified': { status: 422, text: 'This number is not yet approved for texting.' },
  'number.no_sms': { status: 422, text: 'This number can’t send texts.' },
  'number.carrier_gone': {
    status: 422,
    text: 'This number’s carrier isn’t connected, so it can’t call or text. Ask your administrator to connect it.',
  },
  'number.spam_source_missing': {
    status: 409,
    text: 'No service that knows spam labels is connected. Ask the operator of this server to set TRUSTCALL_LOGIN_ID.',
  },
  'number.spam_source_away': {
    status: 409,
    text: '{source} didn’t respond, so nothing was checked. Try again in a few minutes.',
  },
  'number.not_active': {
    status: 409,
    text: 'Only a number in use can be checked.',
  },
  'number.gone': {
    status: 422,
    text: 'This number is no longer yours, so you can’t send from it.',
  },
} as const satisfies ErrorTexts;
