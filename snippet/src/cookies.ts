/** The value of a cookie of this page; null when there is none. */
export function readCookie(name: string): string | null {
  for (const part of document.cookie.split('; '))
    if (part.startsWith(`${name}=`)) return part.slice(name.length + 1);
  return null;
}

/**
 * Domains a cookie can be set for, the widest first: subdomains of one site share it. Browsers
 * refuse public suffixes (`com`, `co.uk`); the last one is the host itself.
 */
function domainsOf(host: string): string[] {
  const labels = host.split('.');
  if (labels.length < 2 || /^[\d.]+$/.test(host) || host.includes(':')) return [''];
  return [...labels.slice(0, -1).map((_, at) => `; domain=${labels.slice(-2 - at).join('.')}`), ''];
}

const attributes = (): string =>
  `; path=/; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`;

/** Sets a cookie for this many seconds, on the widest domain that the browser accepts. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  for (const domain of domainsOf(location.hostname)) {
    document.cookie = `${name}=${value}${domain}${attributes()}; max-age=${maxAge}`;
    if (readCookie(name) === value) return;
  }
}

/** Removes a cookie from every domain it may have been set for. */
export function deleteCookie(name: string): void {
  for (const domain of domainsOf(location.hostname))
    document.cookie = `${name}=${domain}${attributes()}; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
}
