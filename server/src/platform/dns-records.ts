import { parse } from 'tldts';
import type { DnsRecord } from '#contract/dns-record';
import { DnsUnavailableError, type DnsGateway } from '../gateways/dns.ts';

/** Mailbox providers at whose domains nobody else can send. */
const publicMailboxes = new Set([
  'aol.com',
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'me.com',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'yahoo.com',
]);
export const isPublicMailbox = (domain: string): boolean => publicMailboxes.has(domain);

/**
 * The domain that was registered for a name, by the public suffix list; null: an address, a public
 * suffix or no domain. Reserved names such as "example" have no suffix there and are taken as they
 * are.
 */
export function registrableDomain(name: string): string | null {
  const host = name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '');
  const { domain, isIp } = parse(host, { allowPrivateDomains: true, validateHostname: true });
  return isIp ? null : domain;
}

/** A TXT record that proves who owns a domain. */
export const ownershipRecord = (domain: string, token: string): DnsRecord => ({
  type: 'TXT',
  host: `_trunkline.${domain}`,
  value: `trunkline-verification=${token}`,
  found: null,
  ok: false,
});

/** Whether a value of a record is the wanted one; DNS panels change spaces, dots and capitals. */
function isSameValue(type: DnsRecord['type'], value: string, wanted: string): boolean {
  if (type === 'TXT') return value.replace(/\s+/g, '') === wanted.replace(/\s+/g, '');
  return value.replace(/\.$/, '').toLowerCase() === wanted.toLowerCase();
}

/**
 * Looks at each record.
 * @returns the records with what was found; null: no name server answered, so nothing is known
 */
export async function checkRecords(
  dns: DnsGateway,
  records: readonly DnsRecord[],
): Promise<DnsRecord[] | null> {
  try {
    return await Promise.all(
      records.map(async (record) => {
        const values = await dns.lookup(record.type, record.host);
        const right = values.find((value) => isSameValue(record.type, value, record.value));
        const found = right ?? values[0] ?? null;
        return { ...record, found, ok: right !== undefined };
      }),
    );
  } catch (error) {
    if (error instanceof DnsUnavailableError) return null;
    throw error;
  }
}

/** The sentence for records that aren't there yet (A28); null: all are. */
export const missingRecords = (records: readonly DnsRecord[]): string | null =>
  records.every(({ ok }) => ok) ? null : 'We can’t find these DNS records yet.';
