/** How webhooks are signed and given up. Browsers load this. */

/** After a secret is replaced, the old one signs as well for these many hours, unless said otherwise. */
export const webhookOverlapHours = 24;
export const longestOverlapHours = 168;
/** An endpoint that took nothing for so many days is turned off. */
export const webhookOffAfterDays = 3;
