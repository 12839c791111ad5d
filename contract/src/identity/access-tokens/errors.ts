import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'key.limit': {
    status: 409,
    text: 'You already have {most} API keys in this company. Revoke one you no longer use first.',
  },
} as const satisfies ErrorTexts;
