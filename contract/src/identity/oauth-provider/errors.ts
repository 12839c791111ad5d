import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'oauth.request_expired': {
    status: 404,
    text: 'This request has expired. Go back to the application and connect again.',
  },
  'oauth.too_many_clients': {
    status: 409,
    text: 'A company can register {most} applications. Delete one you no longer use.',
  },
} as const satisfies ErrorTexts;
