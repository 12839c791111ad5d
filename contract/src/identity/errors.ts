import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'login.locked': { status: 429, text: 'Too many attempts. Try again in {minutes} minutes.' },
  'reset.expired': {
    status: 422,
    text: 'Your reset link has expired. Please try to resend it again.',
  },
} as const satisfies ErrorTexts;
