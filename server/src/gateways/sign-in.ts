/** Someone else who knows people and says who is signing in (OpenID Connect, code with PKCE). */
export interface IdentityProvider {
  /** As stored, and as addresses name it: `google`. */
  name: string;
  /** As people read it. */
  label: string;
  /** Where the person says who they are; null: the provider can't be asked now. */
  authorizationUrl(request: {
    state: string;
    nonce: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<string | null>;
  /**
   * Who came back.
   * @param callback the query with which the provider sent the person back to `redirectUri`
   */
  identify(request: {
    callback: URLSearchParams;
    state: string;
    nonce: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<IdentityResult>;
}

/** A person as their provider knows them. Issuer and subject never change; the rest can. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** Null: the provider doesn't say, or hasn't verified that the mailbox is this person's. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
}

export type IdentityResult =
  | { state: 'known'; identity: ProvenIdentity }
  /** The person said no there. */
  | { state: 'canceled' }
  /** The answer isn't one to this question, or isn't from this provider. `reason` is for the log. */
  | { state: 'refused'; reason: string }
  /** Nobody answered, or not in words of OpenID. */
  | { state: 'away'; reason: string };

/** By name, in the order of the sign-in page; empty while none is set up. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>;
