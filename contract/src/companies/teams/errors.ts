import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'team.exists': { status: 409, text: 'Your company already has a team called “{name}”.' },
  'team.too_many': {
    status: 409,
    text: 'A company can have up to {most} teams. Delete one first.',
  },
  'team.in_use': {
    status: 409,
    text: 'Calls to {numbers} ring this team. Remove it from their call flows first.',
  },
  'team.full': {
    status: 409,
    text: 'A team can have up to {most} people. Remove some, or make another team.',
  },
} as const satisfies ErrorTexts;
