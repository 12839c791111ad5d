/** Who is behind a number (A9.4). What a provider does not say is null or empty, never guessed. */
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
  /** Shown beside the answer: the provider's name, or `simulated`. */
  source: string;
}
export interface CallerLookup {
  /** E.164. */
  number: string;
  /** Ranks several candidates; not needed. */
  nameHint?: string | undefined;
  zipHint?: string | undefined;
  /** The company only tries things out: a made-up answer will do. */
  testMode: boolean;
}
export type CallerLookupResult =
  | { state: 'found'; identity: CallerIdentity; billable: boolean }
  | { state: 'notFound'; source: string; billable: boolean }
  | { state: 'notConfigured' };
export interface CallerIdentityGateway {
  readonly name: string;
  /** Rejects when the provider could not be reached; nothing is kept then. */
  lookUp(question: CallerLookup): Promise<CallerLookupResult>;
}
