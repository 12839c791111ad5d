import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'source.exists': {
    status: 409,
    text: 'Another source has this name. Choose a different name.',
  },
} as const satisfies ErrorTexts;
