/** Whoever gives the hosts of tenants their TLS certificates. */
export interface CertificateAuthority {
  readonly name: string;
  /**
   * Makes sure that each of these hosts, whose DNS points here, has a certificate. Throws
   * NoCertificateError with the reason while one has none; asking again is harmless.
   * @returns when the first of them expires
   */
  issue(hosts: readonly string[], now: Date): Promise<{ expiresAt: Date }>;
}

/** A host has no valid certificate; the message says which, and why. */
export class NoCertificateError extends Error {
  override name = 'NoCertificate';
}
