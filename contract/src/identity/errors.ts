import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'login.locked': { status: 429, text: 'Too many attempts. Try again in {minutes} minutes.' },
  'reset.expired': {
    status: 422,
    text: 'Your reset link has expired. Please try to resend it again.',
  },
  'setup.link_used': {
    status: 409,
    text: 'This setup link no longer works. Run “npm run operator -- setup-link” on the server to get a new one.',
  },
} as const satisfies ErrorTexts;
