import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'outcome_rule.too_many': {
    status: 409,
    text: 'This company has {most} rules. Delete one first.',
  },
} as const satisfies ErrorTexts;
