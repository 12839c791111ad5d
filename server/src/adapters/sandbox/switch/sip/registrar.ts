/** Phones that have registered: who they are, until when, and over which flow they are reached. */
import type { Flow, Request } from 'sip';
import { Doorkeeper, type Credentials } from './digest.ts';

/** Who a SIP user is. `ha1` is kept nowhere here. */
export interface SipPerson { userId: number; companies: number[]; ha1: string }
export interface Registration { user: string; person: Omit<SipPerson, 'ha1'>; device: string; contact: string; flow: Flow; untilMs: number }

/** A registration is renewed this often at least, so that a phone that is gone is soon known to be. Seconds. */
const longestSeconds = 300;
const shortestSeconds = 20;
/** Wrong passwords from one address in ten minutes before it waits. */
const mostWrong = 10;
const wrongForgottenMs = 10 * 60_000;

export class Registrar {
  readonly #phones = new Map<string, Registration>();
  readonly #wrong = new Map<string, { count: number; sinceMs: number }>();
  readonly #door: Doorkeeper;

  constructor(
    secret: string,
    readonly realm: string,
    private readonly whoIs: (user: string) => Promise<SipPerson | null>,
  ) {
    this.#door = new Doorkeeper(secret, realm);
  }

  all(): Registration[] {
    return [...this.#phones.values()];
  }

  /** The person behind a request, or what to ask them for. */
  async recognize(request: Request, flow: Flow): Promise<{ user: string; person: SipPerson } | { challenge: string } | { refused: 403 | 503 }> {
    const from = this.#wrong.get(flow.address);
    if (from && Date.now() - from.sinceMs > wrongForgottenMs) this.#wrong.delete(flow.address);
    else if (from && from.count >= mostWrong) return { refused: 403 };
    const given = credentialsOf(request);
    if (!given) return { challenge: this.#challenge(false) };
    const person = await this.whoIs(given.username).catch(() => undefined);
    if (person === undefined) return { refused: 503 };
    // A stranger's name takes as long as a wrong password, and is answered the same.
    const seen = this.#door.check(given, request.method, person?.ha1 ?? '0'.repeat(32));
    if (person && seen === 'right') return { user: given.username, person };
    if (seen === 'stale' && person) return { challenge: this.#challenge(true) };
    const known = this.#wrong.get(flow.address) ?? { count: 0, sinceMs: Date.now() };
    known.count++;
    this.#wrong.set(flow.address, known);
    return { refused: 403 };
  }

  #challenge(stale: boolean): string {
    return `Digest realm="${this.realm}", nonce="${this.#door.nonce()}", algorithm=MD5, qop="auth"${stale ? ', stale=true' : ''}`;
  }

  /** Enter, renew or (0 seconds) remove. Answers the seconds granted. */
  enter(user: string, person: SipPerson, contact: string, flow: Flow, wanted: number): { phone: Registration; seconds: number } {
    const key = `${user} ${contact}`;
    const seconds = wanted <= 0 ? 0 : Math.max(shortestSeconds, Math.min(longestSeconds, wanted));
    const known = this.#phones.get(key);
    const phone: Registration = { user, person: { userId: person.userId, companies: person.companies }, device: known?.device ?? `sip-${user}-${Math.random().toString(36).slice(2, 8)}`, contact, flow, untilMs: Date.now() + seconds * 1000 };
    if (seconds === 0) this.#phones.delete(key);
    else this.#phones.set(key, phone);
    return { phone, seconds };
  }

  /** Phones that did not renew. */
  expire(nowMs: number): Registration[] {
    const gone = this.all().filter(({ untilMs }) => untilMs < nowMs);
    for (const phone of gone) this.#phones.delete(`${phone.user} ${phone.contact}`);
    return gone;
  }
}

function credentialsOf(request: Request): Credentials | null {
  const header = (request.headers.authorization ?? request.headers['proxy-authorization'])?.[0];
  if (!header || header['scheme']?.toLowerCase() !== 'digest') return null;
  const plain = (name: string): string | undefined => header[name]?.replace(/^"(.*)"$/, '$1');
  const [username, realm, nonce, uri, response] = ['username', 'realm', 'nonce', 'uri', 'response'].map(plain);
  if (!username || !realm || !nonce || !uri || !response) return null;
  return { username, realm, nonce, uri, response, qop: plain('qop'), nc: plain('nc'), cnonce: plain('cnonce'), algorithm: plain('algorithm') };
}
