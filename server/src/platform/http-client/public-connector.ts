import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { HttpClientError } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

/** What a client that reaches only the public internet treats as public. Tests pass their own. */
export interface PublicInternet {
  /** Resolves a name to all its addresses. Rejects or returns an empty list for an unknown name. */
  resolve(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  /** As in `URL.port`: '' is the default port of the scheme. */
  ports: readonly string[];
}
export const publicInternet: PublicInternet = {
  resolve: async (host) =>
    (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
  ports: ['', '80', '443'],
};

const isPrivate = (host: string) =>
  new HttpClientError('PRIVATE_ADDRESS', `${host} is not on the public internet`);

/**
 * Connects to public addresses only. The name is resolved here, every address must be public, and
 * the socket connects to exactly the addresses that were checked, so that a name that resolves
 * differently the second time (DNS rebinding) gains nothing. The connected address is checked once
 * more.
 */
export function publicConnector(
  internet: PublicInternet,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: publicLookup(internet) });
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // An IP address needs no lookup, so it is checked here.
    if (isIP(host) && !internet.isPublic(host)) return done(isPrivate(host), null);
    connect(options, (...[error, socket]) => {
      if (error) return done(error, null);
      if (!socket) return done(notFound(host), null);
      if (internet.isPublic(socket.remoteAddress ?? '')) return done(null, socket);
      socket.destroy();
      done(isPrivate(host), null);
    });
  };
}

/**
 * Looks up a name for a socket and fails when one of its addresses isn't public. A socket to an IP
 * address asks no look-up, so its caller checks that itself.
 */
export function publicLookup(internet: PublicInternet): LookupFunction {
  const check = callbackify(async (host: string) => {
    const addresses = await internet.resolve(host);
    if (addresses.length === 0) throw notFound(host);
    if (!addresses.every(internet.isPublic)) throw isPrivate(host);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
  return (host, options, done) => {
    check(host, (error, found = []) => {
      const [first] = found;
      if (error || !first) return done(error ?? notFound(host), []);
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

const notFound = (host: string) =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
