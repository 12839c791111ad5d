/**
 * Takes out of a finished line of the log what is somebody's, wherever in it: a field, a message, an
 * error of a library. Lines are rare (requests aren't logged), so that each can be searched. What
 * repeats is bounded, so that a long line costs its length and not the square of it.
 */

/** Fields whose value is a secret, or what somebody wrote, under these names at any depth. */
const hiddenFields = [
  ...['password', 'token', 'access_token', 'refresh_token', 'owner_key', 'code_verifier'],
  ...['secret', 'client_secret', 'api_key', 'authorization', 'cookie', 'set-cookie'],
  ...['cc_number', 'cc_cvc', 'sip_password', 'body', 'payload', 'headers'],
].join('|');

const rules: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`"(${hiddenFields})":"(?:[^"\\]|\\.)*"`, 'gi'), '"$1":"[redacted]"'],
  // Basic and bearer credentials, and those in a URL.
  [/\b(Bearer|Basic)\s{1,9}[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\b([a-z][a-z+.-]{0,20}:\/\/)[^\s/@"\\]{1,500}@/gi, '$1[redacted]@'],
  // What follows the path: links carry their tokens there.
  [/\b(https?:\/\/[^\s?#"\\]{1,2000})[?#][^\s"\\)]*/gi, '$1?[redacted]'],
  // Tokens of ours (`tla_…`) and signed ones of others.
  [/\b([a-z]{2,12})_(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}\d)[\w-]{20,}/g, '$1_[redacted]'],
  [/(?<![\w-])eyJ[\w-]{10,4000}\.[\w-]{10,}(\.[\w-]*)?/g, '[redacted]'],
  [/[\w.!#$%&'*+=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,}/gi, '[email]'],
  // The last four digits tell two apart.
  [/(?:\+|%2B)\d{4,11}(\d{4})\b/gi, '+…$1'],
  [/\(\d{3}\)[ -]?\d{3}-(\d{4})\b/g, '+…$1'],
  [/\b\d{3}-\d{3}-(\d{4})\b/g, '+…$1'],
];

/** The line without contact details and secrets. */
export const withoutPersonalData = (line: string): string =>
  rules.reduce((text, [what, instead]) => text.replace(what, instead), line);
