/**
 * Who a SIP phone is (RFC 3261 §22, RFC 7616 with MD5, which is what phones speak). Nonces are ours alone: signed with the
 * exchange's secret for one address, good for five minutes, and each of their counts is taken once, so that nothing
 * overheard works again.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
/** What is kept of a password: enough to check it for one realm, no use elsewhere. */
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
  /** Highest count seen of each nonce. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly secret: string,
    readonly realm: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** For whoever asks from this address, and nobody elsewhere. */
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

  /** A nonce of ours, given to this address within the last five minutes: whoever answers it hears us. */
  isFresh(nonce: string, address = ''): boolean {
    const [at = '', random = '', signature = ''] = nonce.split('.');
    const age = this.now() - Number.parseInt(at, 36);
    return (
      safeEqual(this.#sign(`${at}.${random}`, address), signature) && age >= 0 && age < nonceTtlMs
    );
  }

  /** `stale`: the nonce is not fresh, or the answer was right and was used: the phone may try again without asking its owner. */
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
