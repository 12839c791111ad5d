import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'sign_in.unknown_provider': {
    status: 404,
    text: 'This way of signing in isn’t set up here.',
  },
  'sign_in.provider_away': {
    status: 503,
    text: '{provider} can’t be reached right now. Try again later, or sign in another way.',
  },
  'sign_in.expired': {
    status: 422,
    text: 'This sign-in has expired. Start again.',
  },
  'sign_in.other_address': {
    status: 409,
    text: 'That account has another email address. Use the one with {email}.',
  },
  'sign_in.linked_elsewhere': {
    status: 409,
    text: 'That account is linked already. Unlink it first.',
  },
  'sign_in.last_way': {
    status: 409,
    text: 'You’d have no way to sign in. Set a password or add a passkey first.',
  },
} as const satisfies ErrorTexts;
