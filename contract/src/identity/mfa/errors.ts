import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'mfa.expired': { status: 422, text: 'This sign-in has expired. Sign in again.' },
  'mfa.tries_used': { status: 429, text: 'Too many wrong codes. Sign in again.' },
  'mfa.locked': {
    status: 429,
    text: 'Too many wrong codes. Try again in {minutes} minutes.',
  },
  'mfa.already_active': {
    status: 409,
    text: 'This is set up already. To replace it, choose Set up again.',
  },
  'mfa.not_active': { status: 409, text: 'This isn’t set up. Reload the page.' },
  'mfa.not_for_kind': { status: 422, text: 'This way of signing in has no such step.' },
  'mfa.no_sender': {
    status: 409,
    text: 'None of your companies has a number that can text this phone. Use an authenticator app or email.',
  },
  'mfa.codes_used': {
    status: 429,
    text: 'Too many codes were sent. Try again in an hour, or use another method.',
  },
  'mfa.setup_required': {
    status: 403,
    text: 'This company requires two-step verification. Set it up under Settings, Security.',
  },
  'confirmation.required': { status: 403, text: 'Confirm that it’s you, then try again.' },
  'confirmation.needs_session': {
    status: 403,
    text: 'Keys and applications can’t do this, because a person must confirm it. Sign in instead.',
  },
  'mfa.other_company': {
    status: 403,
    text: 'This person also belongs to a company that you don’t administer. Ask its owner to reset the two-step verification.',
  },
} as const satisfies ErrorTexts;
