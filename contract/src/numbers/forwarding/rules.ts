/** What a forwarding contact leads to (A6.6). */
export const contactTypes = ['phone', 'sip', 'user'] as const;

/** Failing: fewer than this share of at least so many calls in thirty days was answered (A6.6). */
export const failing = { share: 0.2, attempts: 20 } as const;
