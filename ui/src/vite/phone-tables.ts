import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';

/**
 * Stands in for `libphonenumber-js/min` in browser bundles: the world's number tables (40 kB gzip) come right after the
 * first paint instead of before it. North American numbers need no table (contract/src/phone.ts has a fast path); until
 * the tables are there, others are shown as E.164.
 */
interface Tables { parse(text: string, country?: CountryCode): PhoneNumber | undefined; possible(text: string): boolean }
let tables: Tables | null = null;

async function fetchTables(): Promise<void> {
  const [core, { default: metadata }] = await Promise.all([import('libphonenumber-js/core'), import('libphonenumber-js/min/metadata')]);
  tables = {
    parse: (text, country) => core.parsePhoneNumberFromString(text, { ...(country && { defaultCountry: country }) }, metadata),
    possible: (text) => core.isPossiblePhoneNumber(text, metadata),
  };
}
const soon = typeof window === 'undefined' ? (run: () => void) => run() : 'requestIdleCallback' in window ? (run: () => void) => void window.requestIdleCallback(run, { timeout: 3000 }) : (run: () => void) => void setTimeout(run, 500);
soon(() => void fetchTables().catch(() => {}));

export const parsePhoneNumberFromString = (text: string, country?: CountryCode): PhoneNumber | undefined => tables?.parse(text, country);
export const isPossiblePhoneNumber = (text: string): boolean => tables?.possible(text) ?? false;
