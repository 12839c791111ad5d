/** Whether a value is an IP address or a range in CIDR notation, such as `203.0.113.0/24`. */
export function isIpRange(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 49) return false;
  const [address = '', bits, ...more] = value.split('/');
  if (more.length) return false;
  const isV4 = isIpV4(address);
  if (!isV4 && !isIpV6(address)) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128));
}

const isIpV4 = (address: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(address) &&
  address.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

function isIpV6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2 || !address.includes(':')) return false;
  const groups = halves.flatMap((half) => (half ? half.split(':') : []));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
