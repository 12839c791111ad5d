import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';

/**
 * Replaces `libphonenumber-js/min` in browser bundles: its tables (40 kB gzip) are loaded when a
 * number needs them. North American numbers do not (contract/src/phone.ts has a fast path); others
 * are shown as E.164 until the tables are loaded.
 */
interface Tables {
  parse(text: string, country?: CountryCode): PhoneNumber | undefined;
  possible(text: string): boolean;
}
let tables: Tables | null = null;
let fetching: Promise<void> | null = null;

/** The tables, or null while they load. */
function loadedTables(): Tables | null {
  // Without a network the next number tries again.
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
/** libphonenumber's parser. Undefined: not a phone number, or the tables aren't loaded yet. */
export const parsePhoneNumberFromString = (
  text: string,
  country?: CountryCode,
): PhoneNumber | undefined => loadedTables()?.parse(text, country);
/** libphonenumber's check by length; false until the tables are loaded. */
export const isPossiblePhoneNumber = (text: string): boolean =>
  loadedTables()?.possible(text) ?? false;
