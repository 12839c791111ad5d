/**
 * Tax on invoices. A rate is a whole number of thousandths of a percent, so that 8.875 % is 8875 and no
 * fraction is ever multiplied.
 */
const wholeRate = 100_000;

/** A tax as it is charged. `included`: prices contain it. */
export interface Tax {
  name: string;
  rate: number;
  included: boolean;
}

/** A quotient of whole numbers, rounded half away from zero. */
function rounded(dividend: bigint, divisor: bigint): number {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = (2n * size + divisor) / (2n * divisor);
  return Number(dividend < 0n ? -quotient : quotient);
}

/** The tax that an amount contains, in minor units. */
export const taxWithin = (cents: number, rate: number): number =>
  rounded(BigInt(cents) * BigInt(rate), BigInt(wholeRate + rate));

/** The tax on the sum of an invoice's lines, in minor units: rounded once for the invoice. */
export const taxOf = (cents: number, { rate, included }: Pick<Tax, 'rate' | 'included'>): number =>
  included ? taxWithin(cents, rate) : rounded(BigInt(cents) * BigInt(rate), BigInt(wholeRate));

/** The share of an amount that belongs to a part of a whole, rounded half away from zero. */
export const shareOf = (cents: number, part: number, whole: number): number =>
  rounded(BigInt(cents) * BigInt(part), BigInt(whole));

/** `8.875%`. */
export const formatRate = (rate: number): string => `${rate / 1000}%`;
