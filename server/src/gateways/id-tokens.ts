import type { IdentityProviderName } from '#contract/caddy/rules';

/** Someone else who vouches for individuals, by a signed ID token (OpenID Connect). */
export interface IdTokenProvider {
  /** As stored, and as addresses name it. */
  name: IdentityProviderName;
  /** As people read it. */
  label: string;
  /** The provider's page, which posts `id_token` and `state`, or `error`, to `redirectUri`. */
  authorizationUrl(request: { state: string; nonce: string; redirectUri: string }): string;
  /** Whether the provider signed it for us, and for whom. Its nonce is for the caller to compare. */
  verify(idToken: string): Promise<IdTokenResult>;
}

/** A person as the token names them. The subject never changes; the rest can. */
export interface VouchedPerson {
  subject: string;
  /** Null: the provider doesn't say, or hasn't verified that the mailbox is this person's. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
}

export type IdTokenResult =
  | { state: 'known'; person: VouchedPerson; nonce: string | null }
  /** It isn't one of this provider, not for us, or too old. `reason` is for the log. */
  | { state: 'refused'; reason: string }
  /** Its keys can't be read. */
  | { state: 'away'; reason: string };

/** By name, in the order of the sign-in page; empty while none is set up. */
export type IdTokenProviders = ReadonlyMap<string, IdTokenProvider>;
