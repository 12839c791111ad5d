import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {} as const satisfies ErrorTexts;
