import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'field_update.cannot_undo': {
    status: 409,
    text: 'You can undo a file once, within 24 hours after it was applied.',
  },
} as const satisfies ErrorTexts;
