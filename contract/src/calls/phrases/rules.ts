/** Who must say a phrase. */
export const phraseSides = ['either', 'agent', 'client'] as const;
export type PhraseSide = (typeof phraseSides)[number];

export const phraseLimits = {
  lists: 50,
  phrases: 50,
  /** Characters of a phrase. */
  length: 100,
  /** How often phrases of a list can be asked to be said. */
  times: 20,
} as const;

/** Days back that dry runs look at, and that a list is looked for once it is saved. */
export const lookBackDays = 30;
