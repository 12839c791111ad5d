import { isIP } from 'node:net';
import type { DnsRecord } from '#contract/dns-record';

/** ISO-8601 in UTC; null for no time. */
export const isoOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

/**
 * The record that leads a host to this installation. `target`: the host of its URL, which is an
 * address where the installation has no name.
 */
export function hostRecord(host: string, target: string): DnsRecord {
  const value = target.replace(/^\[|\]$/g, '');
  const type = ({ 0: 'CNAME', 4: 'A', 6: 'AAAA' } as const)[isIP(value) as 0 | 4 | 6];
  return { type, host, value, found: null, ok: false };
}

const SELECTOR = 'trunkline';
/** The selector of our DKIM keys, and where a domain publishes its key. */
export const dkim = {
  selector: SELECTOR,
  record: (domain: string, publicKey: string): DnsRecord => ({
    type: 'TXT',
    host: `${SELECTOR}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${publicKey}`,
    found: null,
    ok: false,
  }),
};
