/**
 * What follows when a charge failed (A19.2), by days since then. Data, so that the clock, the emails
 * and the screens read the same table.
 */
export const dunningSteps = [
  { day: 1, does: 'remind' },
  { day: 5, does: 'remind' },
  { day: 10, does: 'remind' },
  /** Nothing goes out any more, and only those who can pay get in. Calls still come in. */
  { day: 15, does: 'suspend' },
  { day: 25, does: 'expire' },
  { day: 41, does: 'warn' },
  { day: 48, does: 'warn' },
  { day: 54, does: 'warn' },
  /** 30 days after the plan ended. */
  { day: 55, does: 'release' },
] as const;
export type DunningStep = (typeof dunningSteps)[number];

/** When a step is taken, in milliseconds since the epoch. */
export const dayOfStep = (since: Date, day: number): Date =>
  new Date(since.getTime() + day * 86_400_000);
/** The day of the first step of a kind. */
export const dayOf = (does: DunningStep['does']): number =>
  dunningSteps.find((step) => step.does === does)?.day ?? 0;
