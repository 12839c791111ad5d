import { mustBe } from './must-be.ts';
/**
 * Arithmetic of money. An amount is a safe integer of minor units (cents) with its currency kept
 * beside it; dollars exist only at the edges (`#contract/money`). See docs/decisions/0080.
 */
function checked(amount: number): bigint {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`${amount} is no whole number of minor units`);
  return BigInt(amount);
}

function narrowed(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${amount} is too large for an amount`);
  return number;
}

/** The sum, in minor units. @throws RangeError when a part or the sum is not a safe integer */
export const sumMoney = (amounts: readonly number[]): number =>
  narrowed(amounts.reduce((sum, amount) => sum + checked(amount), 0n));

/**
 * A price for a whole number of pieces, in minor units.
 * @throws RangeError when one of the two is no whole number, or the product is too large
 */
export const timesMoney = (price: number, pieces: number): number =>
  narrowed(checked(price) * checked(pieces));

/**
 * Divides an amount by weights so that the parts sum to exactly the amount (largest remainder; of
 * equal remainders the earlier part is rounded up). Part i belongs to weight i, a weight of zero gets
 * nothing. A negative amount (a refund) is divided as the positive one is. For a part of a billing
 * period give the seconds used and the seconds left.
 * @param total minor units
 * @param weights whole numbers, none negative; a share that is a fraction is given as its numerator
 * @throws RangeError when the weights sum to zero, one is negative, or a number is not whole
 */
export function split(total: number, weights: readonly number[]): number[] {
  const shares = weights.map(checked);
  if (shares.some((share) => share < 0n)) throw new RangeError('A weight is negative');
  const whole = shares.reduce((sum, share) => sum + share, 0n);
  if (whole === 0n) throw new RangeError('The weights sum to zero');
  const amount = checked(total);
  const size = amount < 0n ? -amount : amount;
  const parts = shares.map((share) => (size * share) / whole);
  const remainders = shares.map((share) => (size * share) % whole);
  let left = size - parts.reduce((sum, part) => sum + part, 0n);
  // Fewer units are left than parts have a remainder, so no part gets two.
  const byRemainder = shares.map((_, i) => i);
  byRemainder.sort((a, b) => {
    if (remainders[a] === remainders[b]) return a - b;
    // Indexes of the same list.
    return remainders[a]! > remainders[b]! ? -1 : 1;
  });
  for (const i of byRemainder) {
    if (left === 0n) break;
    parts[i] = mustBe(parts[i], 'part of the share') + 1n;
    left -= 1n;
  }
  return parts.map((part) => narrowed(amount < 0n && part !== 0n ? -part : part));
}
