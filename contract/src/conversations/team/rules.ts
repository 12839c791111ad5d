/** Earliest and latest end of a snooze, in seconds from now. */
export const snoozeLimits = { soonest: 60, latest: 365 * 86_400 } as const;

/** Seconds that a reported presence is valid; clients report again before it expires. */
export const presenceSeconds = { viewing: 60, replying: 10 } as const;

/** Counts of views stop here and are marked as capped. */
export const viewCountsTo = 99;
