import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'alert.closed': {
    status: 409,
    text: 'This alert is closed. If its cause comes back, there will be a new one.',
  },
} as const satisfies ErrorTexts;
