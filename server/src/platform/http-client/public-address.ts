import { BlockList, isIP } from 'node:net';
import { firstOf } from '../must-be.ts';

/**
 * Address ranges that no public website has: this machine, its network and other reserved ranges.
 * IPv6 forms of IPv4 addresses are converted first.
 */
const reservedRanges = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  reservedRanges.addSubnet(net, bits, 'ipv4');
const allowedIpv6 = new BlockList();
allowedIpv6.addSubnet('2000::', 3, 'ipv6');
const reservedIpv6 = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reservedIpv6.addSubnet(net, bits, 'ipv6');

/** True for a public internet address. Anything else is not requested. */
export function isPublicAddress(address: string): boolean {
  const ip = firstOf(address.replace(/^\[|\]$/g, '').split('%'));
  const version = isIP(ip);
  if (version === 4) return !reservedRanges.check(ip, 'ipv4');
  if (version !== 6) return false;
  // Global unicast only, which excludes loopback, link-local, unique local, mapped and translated
  // IPv4. 6to4 and Teredo are excluded too.
  return allowedIpv6.check(ip, 'ipv6') && !reservedIpv6.check(ip, 'ipv6');
}
