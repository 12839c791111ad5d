/** Who is behind a number (A9.4 enhanced caller id). `notConfigured` until a provider is connected. */
export interface CallerIdentity { name: string | null; type: 'person' | 'business' | 'unknown'; line_type: string; carrier: string | null; source: string }
export interface CallerIdentityPort {
  readonly name: string;
  lookUp(number: string): Promise<{ state: 'found'; identity: CallerIdentity } | { state: 'notFound' } | { state: 'notConfigured' }>;
}
/** The answer until a provider is connected. */
export const noCallerIdentity: CallerIdentityPort = { name: 'none', lookUp: async () => ({ state: 'notConfigured' }) };
