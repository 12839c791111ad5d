import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'person.held': {
    status: 409,
    text: 'This person’s data is under legal hold. End the hold to erase it.',
  },
  'person.on_call': {
    status: 409,
    text: 'This person is on a call. Wait until it ends.',
  },
  'person.erasing': {
    status: 409,
    text: 'This person is already being erased. Wait until it’s done.',
  },
} as const satisfies ErrorTexts;
