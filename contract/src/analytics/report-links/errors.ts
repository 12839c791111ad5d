import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  // The same for every reason: it must not tell strangers which links there were.
  'report_link.closed': {
    status: 404,
    text: 'This link no longer works. Ask the person who sent it for a new one.',
  },
  'report_link.too_many': {
    status: 409,
    text: 'This report already has {most} links. Withdraw one first.',
  },
} as const satisfies ErrorTexts;
