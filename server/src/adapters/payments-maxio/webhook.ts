import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header with the signature of the body, in hexadecimal digits. */
const signatureHeader = 'x-chargify-webhook-signature-hmac-sha-256';

/**
 * The key of the charge that a report names, in whatever field: Maxio repeats the memo of an invoice
 * and of its payment. `forged`: the site's shared key didn't sign it. What became of the charge is
 * read from Maxio, so a report that comes again changes nothing.
 */
export function readReport(
  sharedKey: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  keyOf: (name: string) => string | null,
): { key: string | null } | 'forged' {
  const given = Buffer.from(String(headers[signatureHeader] ?? ''), 'hex');
  const right = createHmac('sha256', sharedKey).update(body).digest();
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forged';
  const text = body.toString('utf8');
  const values = text.trimStart().startsWith('{')
    ? text.match(/"(?:[^"\\]|\\.)*"/g)?.map((one) => one.slice(1, -1))
    : [...new URLSearchParams(text).values()];
  for (const value of values ?? []) {
    const key = keyOf(value);
    // Refunds have keys as well.
    if (key !== null && /^trunkline-\d/.test(key)) return { key };
  }
  return { key: null };
}
