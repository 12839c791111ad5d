/** A third party that companies link an account of theirs to (OAuth 2, authorization code with PKCE). */
export interface OAuthProvider {
  /** As stored, and as addresses name it: `hubspot`. */
  name: string;
  /** As people read it. */
  label: string;
  /** Where a person says yes. */
  authorizationUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string;
  /**
   * Tokens for what the provider sent back to `redirectUri`.
   * @param callback the query of that request
   */
  exchangeCode(request: {
    callback: URLSearchParams;
    state: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<GrantResult>;
  /** New tokens; the refresh token may be another one afterwards, and the old one void. */
  refresh(refreshToken: string): Promise<GrantResult>;
  /** Best effort: the provider forgets the token. Throws when it can't be asked. */
  revoke(refreshOrAccessToken: string): Promise<void>;
  /** Whose account it is. Throws when it can't be asked. */
  account(accessToken: string): Promise<OAuthAccount>;
}

export interface OAuthAccount {
  externalId: string;
  name: string;
  email: string | null;
}

export interface OAuthTokens {
  access: string;
  /** Null: none is given, so the person connects anew when `access` ends. */
  refresh: string | null;
}

export type GrantResult =
  | {
      state: 'granted';
      tokens: OAuthTokens;
      /** Seconds from now; null: the provider doesn't say. */
      expiresIn: number | null;
      scopes: string[];
    }
  /** The provider said no: asking again changes nothing. `code` is OAuth's (`access_denied`, `invalid_grant`). */
  | { state: 'refused'; code: string; text: string }
  /** Nobody answered, or not in words of OAuth. */
  | { state: 'away'; reason: string };

/** By name; empty while no vendor is built in. */
export type OAuthProviders = ReadonlyMap<string, OAuthProvider>;
