export type DnsRecordType = 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'MX';

/** The public domain name system. */
export interface DnsGateway {
  readonly name: string;
  /**
   * Values of a host's records of one type; empty when it has none. A TXT record's parts are
   * joined, names end without a dot. Throws DnsUnavailableError when no name server answered.
   */
  lookup(type: DnsRecordType, host: string): Promise<string[]>;
}

/** No name server answered: nothing is known about the host. */
export class DnsUnavailableError extends Error {
  override name = 'DnsUnavailable';
}
