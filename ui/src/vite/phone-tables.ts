import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';

/**
 * Stands in for `libphonenumber-js/min` in browser bundles: the world's number tables (40 kB gzip) are fetched when a
 * number is met that needs them. North American numbers need none (contract/src/phone.ts has a fast path); until the
 * tables are there, others are shown as E.164.
 */
interface Tables {
  parse(text: string, country?: CountryCode): PhoneNumber | undefined;
  possible(text: string): boolean;
}
let tables: Tables | null = null;
let fetching: Promise<void> | null = null;

/** The tables if they are there; else they are on their way. */
function loadedTables(): Tables | null {
  // Without a connection the next number asks again.
  fetching ??= fetchTables().catch(() => {
    fetching = null;
  });
  return tables;
}

async function fetchTables(): Promise<void> {
  const [core, { default: metadata }] = await Promise.all([
    import('libphonenumber-js/core'),
    import('libphonenumber-js/min/metadata'),
  ]);
  tables = {
    parse: (text, country) =>
      core.parsePhoneNumberFromString(
        text,
        { ...(country && { defaultCountry: country }) },
        metadata,
      ),
    possible: (text) => core.isPossiblePhoneNumber(text, metadata),
  };
}
export const parsePhoneNumberFromString = (
  text: string,
  country?: CountryCode,
): PhoneNumber | undefined => loadedTables()?.parse(text, country);
export const isPossiblePhoneNumber = (text: string): boolean =>
  loadedTables()?.possible(text) ?? false;
