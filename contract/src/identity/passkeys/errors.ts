import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'passkey.refused': {
    status: 422,
    text: 'This passkey wasn’t accepted. Try again, or sign in another way.',
  },
  'passkey.limit': {
    status: 409,
    text: 'You have {n} passkeys already. Remove one to add another.',
  },
} as const satisfies ErrorTexts;
