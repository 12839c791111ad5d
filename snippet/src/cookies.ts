/** Those of the page's cookies that have one of these names. */
export function readCookies(names: readonly string[]): Record<string, string> {
  const cookies: Record<string, string> = {};
  for (const part of document.cookie.split('; ')) {
    const [name = '', ...value] = part.split('=');
    if (names.includes(name)) cookies[name] = value.join('=');
  }
  return cookies;
}

/**
 * Sets a cookie for this many seconds; -1 removes it. On the widest domain that the browser accepts,
 * which subdomains of a site share: browsers refuse public suffixes (`com`, `co.uk`), and the last
 * try is the host itself.
 */
export function writeCookie(name: string, value: string, seconds: number): void {
  const labels = location.hostname.split('.');
  const secure = location.protocol === 'https:' ? ';secure' : '';
  for (let from = labels.length - 2; from >= -1; from -= 1) {
    const domain = from < 0 ? '' : `;domain=${labels.slice(from).join('.')}`;
    document.cookie = `${name}=${value};path=/;samesite=lax${secure}${domain};max-age=${seconds}`;
    if (seconds > 0 && readCookies([name])[name] === value) return;
  }
}
