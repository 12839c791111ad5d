/** Roles that can be given: ownership is transferred, and access ends with a deactivation. */
export const assignableRoles = ['administrator', 'billing', 'reporting', 'user'] as const;

/** How many people can be changed at once. */
export const mostUsersAtOnce = 200;

/** Roles whose people can be limited to certain numbers; all others have every number. */
export const limitedRoles: readonly string[] = ['user', 'reporting'];
