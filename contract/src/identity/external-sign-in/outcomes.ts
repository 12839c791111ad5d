/**
 * How a visit to a provider ended, in the address of the page that the browser returns to.
 * - `signed_in`: the app finishes with POST /sanctum/external
 * - `link`: their address has an account here, which they link by signing in to it as before
 * - `linked`: the app finishes linking with POST /user/sign-in-methods
 * - `unknown`: no account has their address; `unverified`: the provider hasn't verified it
 * - `canceled`: they said no there; `expired`: it took too long, or another browser began it
 * - `refused`: the answer isn't theirs; `away`: the provider can't be asked
 * - `other_domain`: the address isn’t at a domain that the organization has proven
 * - `no_access`: the organization gives this person no access
 */
export const signInOutcomes = [
  'signed_in',
  'link',
  'linked',
  'unknown',
  'unverified',
  'canceled',
  'expired',
  'refused',
  'away',
  'other_domain',
  'no_access',
] as const;
export type SignInOutcome = (typeof signInOutcomes)[number];
