import { randomInt } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { Secret, TOTP } from 'otpauth';
import { areaCodeOf } from '#contract/phone';
import { maskEmail } from '../rules.ts';
import type { FactorKind } from './store.ts';

/** Wrong codes of a person in 15 minutes, over all their sign-ins; then none is checked. */
export const CODES_LOCK_AFTER = 10;
const STEP_SECONDS = 30;
/** Steps before and after now that are accepted: clocks differ (RFC 6238). */
const WINDOW = 1;
/** Without I, L, O, U, which are misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Countries of the North American plan that carriers charge like the United States. */
const mainland = new Set(['US', 'CA', 'PR', 'GU', 'VI', 'AS', 'MP']);

/**
 * What numbers that may text a code to this phone look like, as a regular expression: those of its
 * own country, since texts abroad are dear and the company pays for them. Null: no code is texted
 * there, as to premium-rate numbers.
 */
export function textingPlan(phone: string): string | null {
  const areaCode = areaCodeOf(phone);
  if (areaCode === '900' || /^\+1\d{3}976/.test(phone)) return null;
  const parsed = parsePhoneNumberFromString(phone);
  if (areaCode === null) return parsed ? `^\\+${parsed.countryCallingCode}` : null;
  // Fictional and unassigned numbers are of no country.
  const isMainland = !parsed?.country || mainland.has(parsed.country);
  return isMainland ? '^\\+1' : `^\\+1${areaCode}`;
}

/** A new secret for an authenticator app: 160 random bits as base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The app's entry for a person. */
export const totpOf = (secret: string, email: string): TOTP =>
  new TOTP({
    issuer: 'Trunkline',
    label: email,
    secret: Secret.fromBase32(secret),
    period: STEP_SECONDS,
  });

/**
 * The time step that a code is of, if it is later than `lastStep`; null: wrong, or of a step whose
 * code was accepted before.
 */
export function acceptedStep(
  secret: string,
  code: string,
  now: Date,
  lastStep: number | null,
): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}

/** `8F3K2-QWX7M`: 50 random bits. */
export const newRecoveryCode = (): string =>
  Array.from({ length: 10 }, (_, i) => (i === 5 ? '-' : '') + alphabet[randomInt(32)]).join('');
/** A recovery code as typed, in its stored form: letters in capitals, without separators. */
export const plainRecoveryCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');

/** `•••0147` */
const maskPhone = (phone: string): string => `•••${phone.slice(-4)}`;
/** Where a factor's code goes, shortened; null: it sends none. */
export const maskTarget = (kind: FactorKind, target: string | null): string | null =>
  kind === 'totp' || target === null
    ? null
    : kind === 'email'
      ? maskEmail(target)
      : maskPhone(target);
