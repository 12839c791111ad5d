import { BlockList, isIP, isIPv4 } from 'node:net';
import type { AccessBlock } from '../../platform/access.ts';

type Switches = Readonly<Record<string, unknown>>;

const IDLE_MINUTES = { least: 15, most: 1440, normal: 720 };

/** Minutes without use after which a session ends: the strictest of the person's companies (A20). */
export function idleMinutesOf(companies: readonly { switches: Switches }[]): number {
  const limits = companies.map(({ switches }) => {
    const minutes = switches['session_idle_minutes'];
    return typeof minutes === 'number' && Number.isFinite(minutes)
      ? Math.min(IDLE_MINUTES.most, Math.max(IDLE_MINUTES.least, minutes))
      : IDLE_MINUTES.normal;
  });
  return limits.length ? Math.min(...limits) : IDLE_MINUTES.normal;
}

/** The networks from which a company may be used (A20 `allowed_ip_ranges`); empty: from anywhere. */
export function networksOf(switches: Switches): readonly string[] {
  const ranges = switches['allowed_ip_ranges'];
  return Array.isArray(ranges) ? ranges.filter((range) => typeof range === 'string') : [];
}

/** Why a text is not an address or a network like `203.0.113.0/24`; null: it is one. */
function networkFormatProblem(range: string): string | null {
  const parts = range.trim().split('/');
  const [address = '', bits] = parts;
  const version = isIP(address);
  const isNetwork =
    parts.length <= 2 &&
    version !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)));
  return isNetwork ? null : `“${range}” isn’t a network. Use the form 203.0.113.0/24.`;
}

/** Why a company may not be used from this address (its setting `allowed_ip_ranges`); undefined: it may. */
export function networkBlock(switches: Switches, ip: string): AccessBlock | undefined {
  const networks = networksOf(switches);
  const isOutside = networks.length > 0 && !isInNetworks(ip, networks);
  return isOutside ? { code: 'network.not_allowed', facts: { ip } } : undefined;
}

/** Whether an address is in one of the networks. What isn't a network contains nothing. */
export function isInNetworks(ip: string, ranges: readonly string[]): boolean {
  const plain = withoutMapping(ip);
  if (!isIP(plain)) return false;
  const list = new BlockList();
  for (const range of ranges) {
    if (networkFormatProblem(range)) continue;
    const [written = '', bits] = range.trim().split('/');
    const family = isIPv4(written) ? 'ipv4' : 'ipv6';
    list.addSubnet(written, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/**
 * Why a company may not be limited to these networks by a person at this address, as the sentence
 * for the setting; null: it may. Otherwise a wrong list would lock out whoever saves it.
 */
export function networksProblem(ranges: readonly string[], ip: string): string | null {
  for (const range of ranges) {
    const problem = networkFormatProblem(range);
    if (problem) return problem;
  }
  return !ranges.length || isInNetworks(ip, ranges)
    ? null
    : `Your own address ${withoutMapping(ip)} isn’t in these networks, so you would lock yourself out. Add it first.`;
}

/** An IPv4 address as IPv6 sockets report it, in its usual form. */
const withoutMapping = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');
