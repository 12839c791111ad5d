import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'unsubscribe.invalid': {
    status: 422,
    text: 'This link is no longer valid. Sign in to change your notifications.',
  },
} as const satisfies ErrorTexts;
