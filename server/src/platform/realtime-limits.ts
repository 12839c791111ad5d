import type { IncomingMessage } from 'node:http';
import { all as addressesOf, compile as trusted } from '@fastify/proxy-addr';

export interface TokenBucket {
  /** Takes a token; false when none is left. */
  take(): boolean;
}
/** A bucket of `size` tokens that is refilled with `perSecond` tokens a second. */
export function createTokenBucket(size: number, perSecond: number): TokenBucket {
  let [left, at] = [size, performance.now()];
  return {
    take: () => {
      const now = performance.now();
      left = Math.min(size, left + ((now - at) / 1000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Runs at most `slots` at a time, the others in order of arrival. */
export function limitConcurrency(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Counts unauthenticated connections: a maximum in all, and a tenth of that from one address. */
export function trackUnauthenticated(most: number) {
  const addresses = new Map<object, string>();
  const perAddress = new Map<string, number>();
  const maxPerAddress = Math.max(1, Math.ceil(most / 10));
  return {
    hasCapacity: (address: string) =>
      addresses.size < most && (perAddress.get(address) ?? 0) < maxPerAddress,
    add: (one: object, address: string) => {
      addresses.set(one, address);
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    },
    /** The connection signed in, or closed. */
    remove: (one: object) => {
      const address = addresses.get(one);
      if (!addresses.delete(one) || address === undefined) return;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left) perAddress.set(address, left);
      else perAddress.delete(address);
    },
  };
}

/**
 * The address a connection counts for: the same as Fastify's `request.ip`, so that
 * `X-Forwarded-For` is only read from the proxies in TRUST_PROXY.
 */
export function clientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (!trustProxy.length) return (request) => request.socket.remoteAddress ?? '';
  const trust = trusted([...trustProxy]);
  return (request) => addressesOf(request, trust).at(-1) ?? '';
}
