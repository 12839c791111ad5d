const knownDigits = new Map<string, number>();
/** Digits after the point of a currency (ISO 4217): 2 for USD, 0 for JPY. */
function fractionDigits(currency: string): number {
  const known = knownDigits.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  knownDigits.set(currency, digits);
  return digits;
}

/** Whole cents → `$12` or `$12.50`: no decimals for whole dollars. */
export function formatMoney(cents: number, currency = 'USD'): string {
  const decimals = fractionDigits(currency);
  const unit = 10 ** decimals;
  const digits = cents % unit === 0 ? 0 : decimals;
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat('en-US', style).format(cents / unit);
}

/**
 * Minor units as a plain decimal for files and form fields: 1250 → `12.50`, -5 → `-0.05`. Built
 * from the digits, without floating point.
 * @throws RangeError when it is not a safe integer
 */
export function moneyToDecimal(minorUnits: number, currency = 'USD'): string {
  if (!Number.isSafeInteger(minorUnits))
    throw new RangeError(`${minorUnits} is no whole number of minor units`);
  const decimals = fractionDigits(currency);
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const sign = minorUnits < 0 ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Parses a typed amount to minor units: `$1,250.5` → 125050, `12,50` → 1250. Null when it is not an
 * amount, has more decimals than the currency, or is not a safe integer.
 */
export function parseMoney(text: string, currency = 'USD'): number | null {
  const decimals = fractionDigits(currency);
  const typed = /^\s*(-?)\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d+))?\s*$/.exec(text);
  if (!typed) return null;
  const [, sign, whole = '', fraction = ''] = typed;
  if (fraction.length > decimals) return null;
  const minorUnits = Number(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
  if (!Number.isSafeInteger(minorUnits)) return null;
  return sign && minorUnits ? -minorUnits : minorUnits;
}
