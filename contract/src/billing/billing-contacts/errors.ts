import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'billing_contact.taken': {
    status: 409,
    text: 'This email address is a billing contact already.',
  },
  'billing_contact.most': { status: 409, text: 'Up to {n} billing contacts.' },
} as const satisfies ErrorTexts;
