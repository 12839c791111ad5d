/**
 * Digest authentication of SIP phones (RFC 3261 §22, RFC 7616 with MD5, the one algorithm phones
 * support). Nonces are signed with the exchange's secret for one client address and valid for five
 * minutes. Each nonce count is accepted once, so that overheard credentials cannot be replayed.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The MD5 of a text, hexadecimal, as digest authentication wants it. */
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** HA1, which is stored instead of the password. It can check a password for one realm only. */
export const ha1Of = (user: string, realm: string, password: string): string =>
  md5(`${user}:${realm}:${password}`);

const nonceTtlMs = 5 * 60_000;
const maxNonces = 10_000;

export interface Credentials {
  username: string;
  realm: string;
  nonce: string;
  uri: string;
  response: string;
  qop?: string | undefined;
  nc?: string | undefined;
  cnonce?: string | undefined;
  algorithm?: string | undefined;
}

export class DigestVerifier {
  /** Highest nonce count accepted, by nonce. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly secret: string,
    readonly realm: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** A new nonce, valid for this client address only. */
  nonce(address = ''): string {
    const body = `${this.now().toString(36)}.${randomBytes(9).toString('base64url')}`;
    return `${body}.${this.#sign(body, address)}`;
  }

  #sign(body: string, address: string): string {
    return createHmac('sha256', this.secret)
      .update(`sip-nonce:${body}:${address}`)
      .digest('base64url')
      .slice(0, 22);
  }

  /**
   * Whether the nonce was issued to this address within the last five minutes. If so, the client
   * has shown that it receives our responses.
   */
  isFresh(nonce: string, address = ''): boolean {
    const [at = '', random = '', signature = ''] = nonce.split('.');
    const ageMs = this.now() - Number.parseInt(at, 36);
    return (
      safeEqual(this.#sign(`${at}.${random}`, address), signature) &&
      ageMs >= 0 &&
      ageMs < nonceTtlMs
    );
  }

  /**
   * `stale`: the nonce has expired, or correct credentials were used before. The phone may try
   * again with a new nonce without asking for the password.
   */
  check(
    given: Credentials,
    method: string,
    ha1: string,
    address = '',
  ): 'right' | 'wrong' | 'stale' {
    if (!this.isFresh(given.nonce, address)) return 'stale';
    if (given.realm !== this.realm || (given.algorithm ?? 'MD5').toUpperCase() !== 'MD5')
      return 'wrong';
    const ha2 = md5(`${method}:${given.uri}`);
    const expected = given.qop
      ? md5(`${ha1}:${given.nonce}:${given.nc ?? ''}:${given.cnonce ?? ''}:${given.qop}:${ha2}`)
      : md5(`${ha1}:${given.nonce}:${ha2}`);
    if ((given.qop && given.qop !== 'auth') || !safeEqual(expected, given.response)) return 'wrong';
    const count = given.qop ? Number.parseInt(given.nc ?? '', 16) : 1;
    if (!(count > (this.#counts.get(given.nonce) ?? 0))) return 'stale';
    this.#counts.set(given.nonce, count);
    if (this.#counts.size > maxNonces)
      for (const oldest of this.#counts.keys()) if (this.#counts.delete(oldest)) break;
    return 'right';
  }
}

function safeEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
