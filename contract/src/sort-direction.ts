/** Directions that a list can be sorted in. Browsers load this, so it doesn't import zod. */
export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

export const isSortDirection = (text: string): text is SortDirection =>
  (sortDirections as readonly string[]).includes(text);
