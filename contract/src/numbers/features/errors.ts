import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'feature.off': {
    status: 403,
    text: '{feature} is turned off here. An administrator can turn it on under Settings → Features.',
  },
  'feature.organization': {
    status: 403,
    text: 'Your organization has turned this off. Its administrators can turn it on.',
  },
} as const satisfies ErrorTexts;
