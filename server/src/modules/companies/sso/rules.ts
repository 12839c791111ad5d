/** The part of an address after the @, in lower case; '' without one. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Issuer of every Google account: which organization one belongs to is in the claim `hd`. */
export const GOOGLE = 'https://accounts.google.com';

/** As visits and addresses of pages name the provider of an organization. */
export const wayName = (organizationId: number): string => `sso-${organizationId}`;
