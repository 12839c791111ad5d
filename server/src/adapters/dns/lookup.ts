import { Resolver } from 'node:dns/promises';
import { DnsUnavailableError, type DnsGateway } from '../../gateways/dns.ts';

/** What a name server says of a host that has no such record. */
const noRecord = new Set(['ENODATA', 'ENOTFOUND']);

const withoutDot = (host: string): string => host.replace(/\.$/, '').toLowerCase();

/**
 * Asks the name servers of this machine, or those of `servers` ("127.0.0.1:53").
 * @param timeoutMs per try; there are two
 */
export function publicDnsGateway(servers: string[] = [], timeoutMs = 3000): DnsGateway {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers.length) resolver.setServers(servers);
  return {
    name: 'dns',
    async lookup(type, host) {
      try {
        if (type === 'TXT') return (await resolver.resolveTxt(host)).map((parts) => parts.join(''));
        if (type === 'CNAME') return (await resolver.resolveCname(host)).map(withoutDot);
        if (type === 'A') return await resolver.resolve4(host);
        if (type === 'AAAA') return await resolver.resolve6(host);
        return (await resolver.resolveMx(host)).map(({ exchange }) => withoutDot(exchange));
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== undefined && noRecord.has(code)) return [];
        throw new DnsUnavailableError(`No name server answered about ${host} (${code}).`, {
          cause: error,
        });
      }
    },
  };
}
