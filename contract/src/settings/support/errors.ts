import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'support.files_many': {
    status: 422,
    text: 'You can attach at most {limit} files. Remove some and try again.',
  },
  'support.file_large': {
    status: 422,
    text: '“{name}” is larger than 10 MB. Attach a smaller file.',
  },
} as const satisfies ErrorTexts;
