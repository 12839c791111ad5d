/** The sandbox's own reading of what somebody dialled; a carrier does not share code with its customers. */

/** E.164 of a North American or international number, or null. */
export function toE164(dialled: string): string | null {
  const digits = dialled.replace(/\D/g, '');
  if (digits.length === 10) return `+1${digits}`;
  if (
    digits.length >= 8 &&
    digits.length <= 15 &&
    (dialled.trim().startsWith('+') || (digits.length === 11 && digits.startsWith('1')))
  )
    return `+${digits}`;
  return null;
}

const emergencyNumbers = new Set(['911', '112', '933']);

export const emergencyMessage =
  'The sandbox carrier doesn’t carry emergency calls. Dial 911 from a real phone.';

/** 911 with or without a country code, and its relatives. */
export function isEmergency(dialled: string): boolean {
  const digits = dialled.replace(/\D/g, '');
  return (
    emergencyNumbers.has(digits) ||
    (digits.startsWith('1') && emergencyNumbers.has(digits.slice(1)))
  );
}
