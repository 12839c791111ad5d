/** What a CRM changed so recently may be found only later, and is read again. Milliseconds. */
const UNSETTLED_MS = 60_000;

/** The later of the moments up to which nothing is missing any more: `last`, or a minute ago. ms. */
export const settledBefore = (last: number, now: Date): number =>
  Math.min(last, now.getTime() - UNSETTLED_MS);
