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
  'visit.unknown_key': {
    status: 404,
    text: 'This company key isn’t known. Copy the script into your website again.',
  },
  'visit.unknown_session': { status: 404, text: 'This visit isn’t known. Open a new one.' },
  'visit.wrong_site': {
    status: 403,
    text: 'No tracking pool is for this website. Add it to a pool’s websites.',
  },
} as const satisfies ErrorTexts;
