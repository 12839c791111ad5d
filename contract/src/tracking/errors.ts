import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'source.exists': {
    status: 409,
    text: 'Another source has this name. Choose a different name.',
  },
  'source.in_use': {
    status: 409,
    text: 'Tracking pools use this source: {pools}. Choose other sources for them first.',
  },
  'pool.exists': {
    status: 409,
    text: 'Another pool has this name. Choose a different name.',
  },
  'pool.confirm_delete': {
    status: 409,
    text: 'Visitors are seeing {n} of this pool’s numbers right now. Confirm that you want to delete it.',
  },
} as const satisfies ErrorTexts;
