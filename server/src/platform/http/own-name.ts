/** Names by which a browser on this machine finds us. */
const namesOfThisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Where a page belongs that was asked for by another name of this machine; null: where it is. Sessions
 * are kept by name: who goes to a provider from 127.0.0.1 and comes back to localhost has none there.
 * @param host as the browser named us, with the port
 * @param path with the query
 */
export function addressByName(publicUrl: string, host: string, path: string): string | null {
  const own = new URL(publicUrl);
  // Passkeys and push need the name as well, so nothing leads from it to a number.
  if (own.hostname !== 'localhost' || host === own.host) return null;
  const asked = URL.parse(`http://${host}`);
  const isOurs = asked && namesOfThisMachine.has(asked.hostname) && asked.port === own.port;
  return isOurs ? `${own.origin}${path}` : null;
}
