import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'phrase_list.exists': { status: 409, text: 'Another list has this name. Choose another name.' },
  'phrase_list.too_many': {
    status: 409,
    text: 'This company has {most} phrase lists. Delete one first.',
  },
  'phrase_list.used': {
    status: 409,
    text: 'The rule “{rule}” uses this list. Change or delete the rule first.',
  },
} as const satisfies ErrorTexts;
