/** Domains an organization can add. */
export const mostSsoDomains = 50;
/** Rules of access that an organization can have. */
export const mostSsoRules = 200;
/** How long a proof outlives its record, in hours. */
export const ssoDomainGraceHours = 72;
