import { z } from 'zod';

export const MAX_PASSKEYS = 20;
/** How long the browser and its person have to answer a challenge. */
export const CHALLENGE_MINUTES = 5;

/**
 * The website that passkeys belong to: the host name and origin of the installation. Passkeys belong
 * to names, not to addresses, so on this machine they work at localhost only.
 */
export function relyingParty(publicUrl: string): { rpID: string; origin: string } {
  const url = new URL(publicUrl);
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost';
  return { rpID: url.hostname, origin: url.origin };
}

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
};

/** What a browser returns for a new passkey. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(30)).max(10).default([]),
  }),
});
/** What a browser returns when a passkey is used. */
export const assertionResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});

/** The challenge that an authenticator signed; null: the data can't be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const read = z.object({ challenge: z.string().max(500) }).safeParse(data);
    return read.success ? read.data.challenge : null;
  } catch {
    return null;
  }
}
