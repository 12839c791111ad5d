import { isIPv4, isIPv6 } from 'node:net';

/**
 * An address without the part that names one household: IPv4 without its last number, IPv6 without
 * all but its first six bytes. Null for anything else.
 */
export function cutAddress(address: string | null): string | null {
  if (address === null) return null;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped.replace(/\d+$/, '0');
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return null;
  const [head = ''] = plain.split('::');
  const first = [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3);
  return `${first.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::`;
}
