import { commonPasswords } from './common-passwords.ts';

/** What a session was opened in; `caddy`: the app for individuals, whose sessions open no company. */
export type SessionKind = 'browser' | 'device' | 'caddy';

export const ACCESS_SECONDS = 3600;
export const REFRESH_DAYS = 30;
export const LOCK_AFTER = 10;
/**
 * Wrong passwords from one network, for all accounts together: more than an office behind one
 * address types.
 */
export const NETWORK_LOCK_AFTER = 50;
export const LOCK_MINUTES = 15;
/** Reset links per address. */
export const RESETS_PER_HOUR = 3;
export const FIRST_OWNER_HOURS = 24;
export const SETUP_HOURS = 24;
/** A link for who was given an account is read later than one that its person asked for. */
export const PASSWORD_LINK_DAYS = 7;
export const RESET_MINUTES = 60;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;

/** Why a password isn't accepted, as the sentence for its field; null: it is (A3). */
export function passwordProblem(password: string, email: string): string | null {
  if ([...password].length < 12) return 'Use at least 12 characters.';
  if (password.length > 200) return 'Use at most 200 characters.';
  if (password.toLowerCase() === email.toLowerCase())
    return 'Your password can’t be your email address.';
  if (commonPasswords.has(password.toLowerCase()))
    return 'This password is on a list of leaked passwords. Choose another.';
  return null;
}

/** `n•••@example.com` */
export const maskEmail = (email: string) => email.replace(/^(.)[^@]*/, '$1•••');
/** `YYYY-MM-DD HH:mm:ss` in UTC, as the specification writes read_whats_new_at. */
export const formatUtcDateTime = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
/** First and last name; without either, the email address. */
export const fullName = (p: { first_name: string; last_name: string; email: string }) =>
  `${p.first_name} ${p.last_name}`.trim() || p.email;
