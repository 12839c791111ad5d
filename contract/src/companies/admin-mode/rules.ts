/** How long admin mode may last. */
export const ADMIN_MINUTES = { least: 5, most: 480 } as const;
/** Characters of a reason. */
export const REASON_LENGTH = { least: 8, most: 300 } as const;
/** Seconds within which the token of a remote login works. */
export const REMOTE_LOGIN_SECONDS = 60;
