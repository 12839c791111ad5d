/** How a person proves a second time that it is them (A3). `recovery`: codes kept on paper. */
export const mfaKinds = ['totp', 'sms', 'email', 'recovery'] as const;
export type MfaKind = (typeof mfaKinds)[number];
/** The kinds whose code is sent. */
const sentCodeKinds = ['sms', 'email'] as const;
export type SentCodeKind = (typeof sentCodeKinds)[number];

export const RECOVERY_CODES = 10;
/** Wrong codes per sign-in; then the password is asked for again. */
export const SIGN_IN_TRIES = 5;
/** How long a sign-in waits for its second factor. */
export const SIGN_IN_MINUTES = 10;
/** For how long a confirmation of the person's identity counts. */
export const CONFIRMATION_MINUTES = 15;
