import { poolLimits } from '#contract/tracking/pool-rules';
import type { PoolSettings } from '#contract/tracking/pool-schemas';

/** So many numbers are bought at once: a flood of visits that aren't people's buys few. */
const MOST_AT_ONCE = 10;

/** How busy a pool was. */
export interface Demand {
  /** Most numbers that visitors saw at once. */
  peak: number;
  /** Whether a visitor found none free. */
  ranOut: boolean;
}

/**
 * How many numbers a pool of `size` needs more, so that at most its target is in use. Where a visitor
 * found none free, all were in use, also those that rested.
 */
export function numbersToAdd(
  size: number,
  { peak, ranOut }: Demand,
  { max, targetUtilization }: PoolSettings['autoScale'],
): number {
  const inUse = ranOut ? Math.max(peak, size) : peak;
  const wanted = Math.ceil((inUse * 100) / targetUtilization);
  const most = Math.min(max, poolLimits.numbers);
  return Math.max(0, Math.min(wanted, most, size + MOST_AT_ONCE) - size);
}
