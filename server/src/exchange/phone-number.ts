/**
 * How the exchange reads dialed numbers. Separate from the product's code, as a carrier's would be.
 */

/** E.164 of a North American or international number; null when it is not one. */
export function toE164(dialed: string): string | null {
  const digits = dialed.replace(/\D/g, '');
  if (digits.length === 10) return `+1${digits}`;
  if (
    digits.length >= 8 &&
    digits.length <= 15 &&
    (dialed.trim().startsWith('+') || (digits.length === 11 && digits.startsWith('1')))
  )
    return `+${digits}`;
  return null;
}

/**
 * What an outside phone sends as its number: E.164, the digits that carriers send for withheld
 * numbers, a short code, or letters (a sender name, or a word such as Restricted). Null: none of
 * these.
 */
export function readSender(typed: string): string | null {
  const text = typed.trim();
  if (/^\d{3,8}$/.test(text) || /^\+\d{6,15}$/.test(text)) return text;
  if (/^(?=.*\p{L})[\p{L}\p{N} &+_.-]{3,20}$/u.test(text)) return text;
  return toE164(text);
}

const emergencyNumbers = new Set(['911', '112', '933']);

export const emergencyMessage = 'Emergency calls can’t be placed here. Dial 911 from a real phone.';

/** Whether this is an emergency number, with or without the country code. */
export function isEmergency(dialed: string): boolean {
  const digits = dialed.replace(/\D/g, '');
  return (
    emergencyNumbers.has(digits) ||
    (digits.startsWith('1') && emergencyNumbers.has(digits.slice(1)))
  );
}
