import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'favorite.exists': { status: 409, text: 'You already have a favorite called “{name}”.' },
  'favorite.not_yours': {
    status: 403,
    text: 'Only {name} can change this favorite. Save your own under a different name.',
  },
  'favorite.too_many': {
    status: 409,
    text: 'You can have up to {most} favorites. Remove one first.',
  },
  'report_mails.stopped': {
    status: 404,
    text: 'These emails have already stopped, or the link no longer works.',
  },
} as const satisfies ErrorTexts;
