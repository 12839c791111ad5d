import { randomBytes } from 'node:crypto';
import { madeWithOneOf, sign, type KeyRing } from '../../../platform/secrets.ts';

/** So many characters of a signature are kept: 84 bits, more than anyone can try over the net. */
const SIGNATURE_LENGTH = 14;
const signature = (secret: Buffer, text: string): string =>
  sign(secret, text)
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, SIGNATURE_LENGTH);

const keyOf = (secret: Buffer, companyId: number): string =>
  `${companyId}-${signature(secret, `tracking company:${companyId}`)}`;
const sessionOf = (secret: Buffer, companyId: number, visitId: number): string =>
  `${companyId}-${visitId.toString(36)}-${signature(secret, `visit:${companyId}:${visitId}`)}`;

/** What the script on a website names its company with. Public; it only can't be made up. */
export const companyKey = ([secret]: KeyRing, companyId: number): string =>
  keyOf(secret, companyId);

/** The company of a key; null: it isn't one of ours. */
export function readCompanyKey(secrets: KeyRing, key: string): number | null {
  const companyId = Number(/^(\d{1,16})-/.exec(key)?.[1]);
  return companyId > 0 && madeWithOneOf(secrets, key, (secret) => keyOf(secret, companyId))
    ? companyId
    : null;
}

/** What a page names its visit with. */
export const sessionToken = ([secret]: KeyRing, companyId: number, visitId: number): string =>
  sessionOf(secret, companyId, visitId);

/** The company and visit of a token; null: it was made up or changed. */
export function readSessionToken(
  secrets: KeyRing,
  token: string,
): { companyId: number; visitId: number } | null {
  const [, company, visit] = /^(\d{1,16})-([0-9a-z]{1,11})-/.exec(token) ?? [];
  const companyId = Number(company);
  const visitId = Number.parseInt(visit ?? '', 36);
  if (!(companyId > 0 && visitId > 0) || !Number.isSafeInteger(visitId)) return null;
  return madeWithOneOf(secrets, token, (secret) => sessionOf(secret, companyId, visitId))
    ? { companyId, visitId }
    : null;
}

/** The visitor's own ID if it can be one, else a new random one of 128 bits. */
export const visitorIdOf = (said: string | null | undefined): string =>
  said && /^[\w-]{16,64}$/.test(said) ? said : randomBytes(16).toString('base64url');
