import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'branding.file_large': {
    status: 422,
    text: '{name} is larger than 1 MB. Choose a smaller picture.',
  },
  'branding.not_a_picture': {
    status: 422,
    text: '{name} can’t be read. Use a PNG, JPEG or SVG picture.',
  },
} as const satisfies ErrorTexts;
