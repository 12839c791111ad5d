import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'port.not_portable': { status: 422, text: '{number} cannot be moved: {reason}.' },
  'port.mixed_types': {
    status: 422,
    text: 'Local, toll-free and Canadian numbers need separate port requests. Keep one type in this request.',
  },
  'port.open': {
    status: 409,
    text: '{number} is in another port request. Continue that request.',
  },
  'port.not_now': { status: 409, text: 'You can’t do this while the request is {status}.' },
  'port.too_late': {
    status: 409,
    text: 'The numbers have already been ported, so the request can’t be canceled.',
  },
  'port.letter_changed': {
    status: 409,
    text: 'The letter has changed since you read it. Read it again, then sign.',
  },
} as const satisfies ErrorTexts;
