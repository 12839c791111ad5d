import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'reading.no_model': {
    status: 409,
    text: 'No language model is connected. Ask the operator of this server to connect one.',
  },
  'reading.no_words': {
    status: 409,
    text: 'This call has no transcript that AI can read.',
  },
  'reading.running': { status: 409, text: 'AI is reading this call already. Wait a moment.' },
} as const satisfies ErrorTexts;
