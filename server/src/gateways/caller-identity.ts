/**
 * Who a number belongs to (A9.4). What a provider does not know is null or empty, never guessed.
 */
export interface CallerIdentity {
  name: string | null;
  type: 'person' | 'business' | 'unknown';
  line_type: 'mobile' | 'landline' | 'voip' | 'toll_free' | 'other';
  carrier: string | null;
  is_prepaid: boolean | null;
  is_commercial: boolean | null;
  age_range: string | null;
  gender: string | null;
  emails: string[];
  addresses: { street: string; city: string; state: string; zip: string }[];
  alternate_phones: string[];
  business: { name: string; industry: string | null } | null;
  /** The provider's name, or `simulated`. Shown with the result. */
  source: string;
}
export interface CallerLookup {
  /** E.164. */
  number: string;
  /** Optional: helps to rank several candidates. */
  nameHint?: string | undefined;
  zipHint?: string | undefined;
  /** The company is in test mode: a made-up identity is fine. */
  testMode: boolean;
}
export type CallerLookupResult =
  | { state: 'found'; identity: CallerIdentity; billable: boolean }
  | { state: 'notFound'; source: string; billable: boolean }
  | { state: 'notConfigured' };
export interface CallerIdentityGateway {
  readonly name: string;
  /** Rejects when the provider cannot be reached; nothing is stored then. */
  lookUp(question: CallerLookup): Promise<CallerLookupResult>;
}
