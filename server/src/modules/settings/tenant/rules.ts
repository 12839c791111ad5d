import { isIP } from 'node:net';
import { parse } from 'tldts';
import type { DnsRecord } from '#contract/settings/tenant/schemas';

/** ISO-8601 in UTC; null for no time. */
export const isoOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

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

/** Whether a value of a record is the wanted one; DNS panels change spaces, dots and capitals. */
export function isSameValue(type: DnsRecord['type'], value: string, wanted: string): boolean {
  if (type === 'TXT') return value.replace(/\s+/g, '') === wanted.replace(/\s+/g, '');
  return value.replace(/\.$/, '').toLowerCase() === wanted.toLowerCase();
}
