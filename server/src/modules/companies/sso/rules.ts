/** The part of an address after the @, in lower case; '' without one. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Issuer of every Google account: which organization one belongs to is in the claim `hd`. */
export const GOOGLE = 'https://accounts.google.com';

/** The path that begins to sign in through an organization's provider, for the browser to open. */
export const ssoPath = (organizationId: number): string =>
  `/api/oauth/sso/${organizationId}/redirect`;
