/** How soon and how late a conversation may come back, in seconds. */
export const snoozeLimits = { soonest: 60, latest: 365 * 86_400 } as const;

/** How long what was told holds, in seconds: who is still there says so again before. */
export const presenceSeconds = { viewing: 60, replying: 10 } as const;

/** Beyond this many a count says so and no more. */
export const viewCountsTo = 99;
