import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'audit_stream.too_many': {
    status: 409,
    text: 'This company has {most} streams. Remove one first.',
  },
} as const satisfies ErrorTexts;
