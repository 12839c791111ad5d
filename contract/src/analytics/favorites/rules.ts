/** Favorites that one person can have, and characters of what one opens. */
export const favoriteLimits = { perPerson: 200, name: 80, value: 20_000 } as const;
