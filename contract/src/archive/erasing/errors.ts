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
  'hold.keeps': {
    status: 409,
    text: 'This person’s data is under legal hold and can’t be deleted. End the hold first.',
  },
  'hold.keeps_some': {
    status: 409,
    text: 'Nothing was deleted, because some of it is under legal hold. Leave that out, or end the hold.',
  },
} as const satisfies ErrorTexts;
