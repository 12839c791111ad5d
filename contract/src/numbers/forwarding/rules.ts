/** Destination types of forwarding contacts (A6.6). */
export const contactTypes = ['phone', 'sip', 'user'] as const;

/**
 * A forwarding contact is failing if less than `share` of at least `attempts` calls in 30 days were
 * answered (A6.6).
 */
export const failing = { share: 0.2, attempts: 20 } as const;
