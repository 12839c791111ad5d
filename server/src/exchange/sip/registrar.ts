/** Registered SIP phones: whose they are, until when, and over which flow they are reached. */
import { randomBytes } from 'node:crypto';
import { DigestVerifier, type Credentials } from './digest.ts';
import type { Request } from './message.ts';
import { wallClock, type Clock, type Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** A SIP user. `ha1` is never kept in a registration. */
export interface SipUser {
  userId: number;
  companies: number[];
  ha1: string;
}
export interface Registration {
  user: string;
  person: Omit<SipUser, 'ha1'>;
  device: string;
  contact: string;
  flow: Flow;
  untilMs: number;
}

/** Limits of a registration in seconds. Short, so that a phone that is gone is noticed soon. */
const maxExpirySeconds = 300;
const minExpirySeconds = 20;
/** Phones of one user at once. One more replaces the one whose registration expires first. */
export const maxContacts = 10;
/**
 * Failed logins of one user from one address within the window, after which refusals are delayed.
 */
const maxFailures = 10;
const failureWindowMs = 10 * 60_000;
const throttleDelayMs = 2000;
const maxTrackedFailures = 10_000;

export class Registrar {
  readonly #phones = new Map<string, Registration>();
  readonly #failures = new Map<string, { count: number; sinceMs: number }>();
  readonly #digest: DigestVerifier;

  constructor(
    secret: string,
    readonly realm: string,
    private readonly findUser: (user: string) => Promise<SipUser | null>,
    private readonly log: (message: string, detail?: object) => void = () => undefined,
    private readonly clock: Clock = wallClock,
  ) {
    this.#digest = new DigestVerifier(secret, realm, () => clock.now());
  }

  all(): Registration[] {
    return [...this.#phones.values()];
  }

  /**
   * The user who sent the request; null when it was answered here (challenge or refusal). Until the
   * sender has answered one of our nonces, nothing is stored and no user is looked up: its address
   * may be forged.
   */
  async authenticate(
    transaction: ServerTransaction,
  ): Promise<{ user: string; person: SipUser } | null> {
    const { request, flow } = transaction;
    const given = credentialsOf(request, this.realm);
    if (!given || !this.#digest.isFresh(given.nonce, flow.address))
      return this.#challenge(transaction, given !== null);
    if (!transaction.admit()) return null;
    const person = isUserName(given.username)
      ? await this.findUser(given.username).catch(() => undefined)
      : null;
    if (person === undefined) {
      transaction.respond(503, { headers: { 'retry-after': '5' } });
      return null;
    }
    // An unknown user takes as long as a wrong password and is answered the same.
    const seen = this.#digest.check(
      given,
      request.method,
      person?.ha1 ?? '0'.repeat(32),
      flow.address,
    );
    if (person && seen === 'right') return { user: given.username, person };
    if (person && seen === 'stale') return this.#challenge(transaction, true);
    const refuse = (): void => transaction.respond(403);
    if (this.#countFailure(given.username, flow.address)) this.clock.after(throttleDelayMs, refuse);
    else refuse();
    return null;
  }

  #challenge(transaction: ServerTransaction, stale: boolean): null {
    const challenge = `Digest realm="${this.realm}", nonce="${this.#digest.nonce(transaction.flow.address)}", algorithm=MD5, qop="auth"${stale ? ', stale=true' : ''}`;
    transaction.respond(401, { headers: { 'www-authenticate': challenge } });
    return null;
  }

  /**
   * True when this user failed too often from this address. That only delays refusals: correct
   * credentials are always accepted, from this address and from others behind the same NAT.
   */
  #countFailure(user: string, address: string): boolean {
    const key = `${address} ${user.slice(0, 64)}`;
    const nowMs = this.clock.now();
    const known = this.#failures.get(key);
    const entry =
      known && nowMs - known.sinceMs < failureWindowMs ? known : { count: 0, sinceMs: nowMs };
    entry.count++;
    this.#failures.set(key, entry);
    if (this.#failures.size > maxTrackedFailures)
      for (const oldest of this.#failures.keys()) if (this.#failures.delete(oldest)) break;
    if (entry.count === maxFailures)
      this.log('A SIP user failed to log in ten times from one address', {
        user: user.slice(0, 64),
        address,
      });
    return entry.count > maxFailures;
  }

  /**
   * Adds or renews a registration. `gone`: the one it replaced when the user had too many, else
   * null.
   */
  register(
    user: string,
    person: SipUser,
    contact: string,
    flow: Flow,
    wantedSeconds: number,
  ): { phone: Registration; seconds: number; gone: Registration | null } {
    const key = `${user} ${contact}`;
    const seconds = Math.max(minExpirySeconds, Math.min(maxExpirySeconds, wantedSeconds));
    const known = this.#phones.get(key);
    const others = this.all().filter((one) => one.user === user && one !== known);
    const gone =
      others.length >= maxContacts
        ? (others.sort((one, other) => one.untilMs - other.untilMs)[0] ?? null)
        : null;
    if (gone) this.remove(gone);
    const device = known?.device ?? `sip-${user}-${randomBytes(5).toString('hex')}`;
    const phone: Registration = {
      user,
      person: { userId: person.userId, companies: person.companies },
      device,
      contact,
      flow,
      untilMs: this.clock.now() + seconds * 1000,
    };
    this.#phones.set(key, phone);
    return { phone, seconds, gone };
  }

  /** Null when this contact of the user is not registered. */
  find(user: string, contact: string): Registration | null {
    return this.#phones.get(`${user} ${contact}`) ?? null;
  }

  remove(phone: Registration): void {
    this.#phones.delete(`${phone.user} ${phone.contact}`);
  }

  /** Removes and returns the phones that did not renew in time. */
  removeExpired(): Registration[] {
    return this.#removeWhere(({ untilMs }) => untilMs < this.clock.now());
  }

  /** Removes and returns the phones registered over this connection. */
  removeByFlow(flow: Flow): Registration[] {
    return this.#removeWhere((phone) => phone.flow.key === flow.key);
  }

  #removeWhere(matches: (phone: Registration) => boolean): Registration[] {
    const gone = this.all().filter(matches);
    for (const phone of gone) this.remove(phone);
    return gone;
  }
}

/** Printable ASCII only: the database rejects some control characters. */
const isUserName = (text: string): boolean => /^[\x21-\x7e]{1,64}$/.test(text);

/** The digest credentials for our realm; null when the request has none. */
function credentialsOf(request: Request, realm: string): Credentials | null {
  for (const header of [
    ...request.headers.lines('authorization'),
    ...request.headers.lines('proxy-authorization'),
  ]) {
    if (!/^digest\s/i.test(header)) continue;
    const fields = new Map<string, string>();
    for (const [, name = '', quoted, plain] of header
      .slice(7)
      .matchAll(/([a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi))
      fields.set(name.toLowerCase(), quoted ?? plain ?? '');
    const field = (name: string): string => fields.get(name) ?? '';
    const [username, nonce, uri, response] = [
      field('username'),
      field('nonce'),
      field('uri'),
      field('response'),
    ];
    if (field('realm') !== realm || !username || !nonce || !uri || !response) continue;
    return {
      username,
      realm,
      nonce,
      uri,
      response,
      qop: fields.get('qop'),
      nc: fields.get('nc'),
      cnonce: fields.get('cnonce'),
      algorithm: fields.get('algorithm'),
    };
  }
  return null;
}
