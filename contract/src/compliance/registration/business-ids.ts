/** The nine digits of a typed EIN, such as 12-3456789; null when there are not nine. */
export const einDigits = (typed: string): string | null => {
  const digits = typed.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(digits) ? digits : null;
};

/** EIN prefixes that the IRS has not assigned. */
const unassignedEinPrefixes = new Set([
  '00',
  '07',
  '08',
  '09',
  '17',
  '18',
  '19',
  '28',
  '29',
  '49',
  '69',
  '70',
  '78',
  '79',
  '89',
  '96',
  '97',
]);

/**
 * Whether this can be an EIN (nine digits, assigned prefix) or, in Canada, a business number (nine
 * digits).
 */
export const mayBeEin = (typed: string, country: string): boolean => {
  const digits = einDigits(typed);
  return (
    digits !== null &&
    (country === 'CA'
      ? !/^0+$/.test(digits)
      : !unassignedEinPrefixes.has(digits.slice(0, 2)) && !/^(\d)\1*$/.test(digits))
  );
};

/**
 * Legal entity identifier (ISO 17442): 18 alphanumerics and two check digits; the whole is 1 modulo
 * 97.
 */
function isLei(id: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(id)) return false;
  return (
    [...id].reduce(
      (rest, c) =>
        [...parseInt(c, 36).toString()].reduce((r, d) => (r * 10 + Number(d)) % 97, rest),
      0,
    ) === 1
  );
}

/** Format of each registration number, and the sentence when it does not match. */
export const registrationIds: Readonly<Record<string, readonly [(id: string) => boolean, string]>> =
  {
    DUNS: [
      (id) => /^\d{9}$/.test(id.replace(/[\s-]/g, '')),
      'Enter the nine digits of the DUNS number.',
    ],
    GIIN: [
      (id) => /^[A-NP-Z0-9]{6}\.[A-NP-Z0-9]{5}\.(LE|SL|ME|BR|SF|SD|SS|SB|SP)\.\d{3}$/.test(id),
      'Enter the GIIN with its dots, such as 98Q96B.00000.LE.840.',
    ],
    LEI: [isLei, 'Enter the 20 characters of the LEI.'],
  };
