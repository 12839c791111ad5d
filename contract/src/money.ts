/** Whole cents → `$12` or `$12.50`: no decimals when there are none. */
export function formatMoney(cents: number, currency = 'USD'): string {
  const digits = cents % 100 === 0 ? 0 : 2;
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat('en-US', style).format(cents / 100);
}
