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
  /** Of a provider that an organization brought itself: what more it says. */
  own?: {
    /** The address, and whether the provider says that it is verified; null: it doesn't say. */
    email: { address: string; isVerified: boolean | null } | null;
    /** The organization that Google says the account is managed by. */
    hostedDomain: string | null;
    groups: string[];
  };
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

/** A provider that an organization brings itself. */
export interface OwnProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim that lists a person's groups. */
  groupsClaim: string;
}

/** What keeps a provider from being used. */
export type ProviderProblem =
  /** No answer, or one that says no; `reason` is for the log. */
  | { is: 'unreachable'; reason: string }
  /** An address within our own network. */
  | { is: 'private' }
  /** There is no discovery document. */
  | { is: 'not_openid' }
  /** It calls itself `issuer`. */
  | { is: 'other_issuer'; issuer: string }
  | { is: 'no_code_flow' | 'no_pkce' | 'no_keys' };

/** Providers of identities that organizations bring themselves. */
export interface OwnProviders {
  /** Such a provider, to sign in with. */
  connect(own: OwnProvider): IdentityProvider;
  /** Reads its discovery document and keys; null: it can be used. */
  check(issuer: string): Promise<ProviderProblem | null>;
}
