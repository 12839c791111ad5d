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

/** A link to another website is good for so many milliseconds. */
const LINK_MS = 120_000;
/** Clocks of our own processes differ by this at most. */
const SKEW_MS = 5000;

const linkOf = (secret: Buffer, companyId: number, visitId: number, at: number): string =>
  [companyId, visitId.toString(36), at.toString(36)].join('-') +
  `-${signature(secret, `link:${companyId}:${visitId}:${at}`)}`;

/** What a link to another website of the company carries as `_dni`: whose visit it goes on with. */
export const linkToken = ([secret]: KeyRing, companyId: number, visitId: number, now: Date) =>
  linkOf(secret, companyId, visitId, now.getTime());

/** The visit of a link's token and when it was made, epoch ms; null: forged, or too old. */
export function readLinkToken(
  secrets: KeyRing,
  token: string,
  now: Date,
): { companyId: number; visitId: number; at: number } | null {
  const parts = /^(\d{1,16})-([0-9a-z]{1,11})-([0-9a-z]{1,9})-\w{1,14}$/.exec(token);
  const companyId = Number(parts?.[1]);
  const [visitId = NaN, at = NaN] = parts?.slice(2).map((part) => Number.parseInt(part, 36)) ?? [];
  const age = now.getTime() - at;
  if (!(companyId > 0 && visitId > 0 && age >= -SKEW_MS && age <= LINK_MS)) return null;
  if (!Number.isSafeInteger(visitId)) return null;
  return madeWithOneOf(secrets, token, (secret) => linkOf(secret, companyId, visitId, at))
    ? { companyId, visitId, at }
    : null;
}

/** The visitor's own ID if it can be one, else a new random one of 128 bits. */
export const visitorIdOf = (said: string | null | undefined): string =>
  said && /^[\w-]{16,64}$/.test(said) ? said : randomBytes(16).toString('base64url');
