import type { triggers } from '#contract';

export type Trigger = triggers.NumberTrigger;
export const matchModeNames: Record<Trigger['match_mode'], string> = {
  exact: 'The whole text',
  first_word: 'The first word',
  contains: 'Anywhere in the text',
};
