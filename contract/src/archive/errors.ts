import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'archive.running': {
    status: 409,
    text: 'An archive is being made already. Wait until it is ready.',
  },
} as const satisfies ErrorTexts;
