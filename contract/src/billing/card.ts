/**
 * `09/29` or `9/2029` as month and year; null: no date, or one that is over. Cards are good until
 * their month ends.
 */
export function parseExpiry(text: string, now: Date): { month: number; year: number } | null {
  const typed = /^\s*(\d{1,2})\s*[/-]\s*(\d{2}|\d{4})\s*$/.exec(text);
  const month = Number(typed?.[1]);
  if (!typed?.[2] || month < 1 || month > 12) return null;
  const year = Number(typed[2]) + (typed[2].length === 2 ? 2000 : 0);
  return Date.UTC(year, month, 1) > now.getTime() && year < now.getUTCFullYear() + 30
    ? { month, year }
    : null;
}

/** A card ends with its month; it is said from this many days before. */
const soonDays = 45;

/** Whether a card ends soon, or has ended. `month` counts from 1. */
export const cardExpiresSoon = (month: number, year: number, now: Date): boolean =>
  Date.UTC(year, month, 1) - now.getTime() < soonDays * 86_400_000;
