import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'data_group.exists': {
    status: 409,
    text: 'Your organization already has a data group called “{name}”.',
  },
  'data_group.too_many': {
    status: 409,
    text: 'An organization can have up to {most} data groups. Delete one first.',
  },
  'data_group.full': {
    status: 409,
    text: 'A data group can hold up to {most} items. Remove some, or make another group.',
  },
} as const satisfies ErrorTexts;
