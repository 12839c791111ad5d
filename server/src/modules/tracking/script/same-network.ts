import { DnsUnavailableError, type DnsGateway } from '../../../gateways/dns.ts';

/** The half of an IPv4 address that Safari compares. */
const networkOf = (address: string): string => address.split('.').slice(0, 2).join('.');

/**
 * Whether Safari takes a subdomain for the website itself, and so keeps its cookies: no alias of
 * another name, and an address whose first half is the website's. Null: no name server answered.
 */
export async function isSameNetwork(
  dns: DnsGateway,
  site: string,
  subdomain: string,
): Promise<boolean | null> {
  try {
    if ((await dns.lookup('CNAME', subdomain)).length > 0) return false;
    const own = new Set((await dns.lookup('A', site)).map(networkOf));
    const addresses = await dns.lookup('A', subdomain);
    return addresses.length > 0 && addresses.every((one) => own.has(networkOf(one)));
  } catch (error) {
    if (error instanceof DnsUnavailableError) return null;
    throw error;
  }
}
