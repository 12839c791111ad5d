import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'field.choice_used': {
    status: 409,
    text: 'Some of the choices you removed are in use. Choose a replacement for each.',
  },
  'field.not_organization': {
    status: 409,
    text: 'Only an organization’s field can be overridden. Change this field directly.',
  },
  'tag.exists': {
    status: 409,
    text: 'Another tag is named {name}. Merge the two, or choose a different name.',
  },
  'preset.exists': { status: 409, text: 'You already have a preset with this name for this list.' },
  'preset.not_yours': {
    status: 403,
    text: 'Only {name} can change this preset. Save your own under a different name.',
  },
} as const satisfies ErrorTexts;
