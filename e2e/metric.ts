/** What `npm run test:faults` passes to each of its runs. */
export interface FaultOptions {
  size: 'quick' | 'full';
  /** Seed for everything random; printed, and set by `--seed`. */
  seed: number;
}

/** One line of the table at its end. */
export interface Metric {
  id: string;
  value: string;
  target: string;
  pass: boolean | 'skipped';
}

export const printMetric = (
  id: string,
  seen: string,
  target: string,
  pass: Metric['pass'],
): Metric => ({
  id,
  value: seen,
  target,
  pass,
});
