/** All credit of a call, in basis points. */
const allCredit = 10_000;

/**
 * Credit by weights as whole basis points that sum to exactly 10,000; what rounding leaves goes to
 * the last one that has weight (A8.6: to the latest touch). All weights 0: they count alike.
 */
export function creditByWeight(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (weights.length === 0) return [];
  if (!(sum > 0)) return creditByWeight(weights.map(() => 1));
  const credits = weights.map((weight) => Math.floor((allCredit * weight) / sum));
  const last = weights.findLastIndex((weight) => weight > 0);
  return credits.map((credit, i) =>
    i === last ? credit + allCredit - credits.reduce((a, b) => a + b, 0) : credit,
  );
}

/**
 * Shares of equals, which have no order: whole basis points that sum to 10,000, the largest
 * fractions rounded up first.
 */
export function sharesByWeight(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (weights.length === 0) return [];
  if (!(sum > 0)) return sharesByWeight(weights.map(() => 1));
  const exact = weights.map((weight) => (allCredit * weight) / sum);
  const shares = exact.map(Math.floor);
  const left = allCredit - shares.reduce((a, b) => a + b, 0);
  const byFraction = exact
    .map((value, i) => ({ i, fraction: value - Math.floor(value) }))
    .sort((a, b) => b.fraction - a.fraction || a.i - b.i);
  const raised = new Set(byFraction.slice(0, left).map(({ i }) => i));
  return shares.map((share, i) => share + (raised.has(i) ? 1 : 0));
}
