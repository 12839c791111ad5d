/**
 * A cell as text that no spreadsheet takes for a formula: text that begins like one gets an
 * apostrophe in front (A22). Phone numbers are kept, so that the file can be imported again.
 */
export const safeCell = (value: string): string =>
  /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !phoneNumbers.test(value) ? `'${value}` : value;
/** `+12015554402`, `+1 201 555 4402`, or several of these with ` | ` between. */
const phoneNumbers = /^\+\d[\d ]{4,24}(?: \| \+\d[\d ]{4,24})*$/;

/** A CSV cell (RFC 4180): quoted when it holds a quote, a comma or a line break. */
export const quoteCsv = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
