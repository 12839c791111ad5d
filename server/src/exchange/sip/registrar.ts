/** Phones that have registered: who they are, until when, and over which flow they are reached. */
import { randomBytes } from 'node:crypto';
import { DigestVerifier, type Credentials } from './digest.ts';
import type { Request } from './message.ts';
import { wallClock, type Clock, type Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Who a SIP user is. `ha1` is kept nowhere here. */
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

/** A registration is renewed this often at least, so that a phone that is gone is soon known to be. Seconds. */
const maxExpirySeconds = 300;
const minExpirySeconds = 20;
/** Phones of one user at once; one more takes the place of the one that was longest silent. */
export const maxContacts = 10;
/** Wrong answers of one user from one address in ten minutes, after which each is answered late. */
const maxFailures = 10;
const failureWindowMs = 10 * 60_000;
const throttleDelayMs = 2000;
const maxTrackedFailures = 10_000;

export class Registrar {
  readonly #phones = new Map<string, Registration>();
  readonly #wrong = new Map<string, { count: number; sinceMs: number }>();
  readonly #door: DigestVerifier;

  constructor(
    secret: string,
    readonly realm: string,
    private readonly findUser: (user: string) => Promise<SipUser | null>,
    private readonly log: (message: string, detail?: object) => void = () => undefined,
    private readonly clock: Clock = wallClock,
  ) {
    this.#door = new DigestVerifier(secret, realm, () => clock.now());
  }

  all(): Registration[] {
    return [...this.#phones.values()];
  }

  /**
   * The person behind a request; null when it was answered. Before it has answered a nonce of ours nothing is kept of it and
   * nobody is looked up: its sender may be anybody's invention.
   */
  async authenticate(
    transaction: ServerTransaction,
  ): Promise<{ user: string; person: SipUser } | null> {
    const { request, flow } = transaction;
    const given = credentialsOf(request, this.realm);
    if (!given || !this.#door.isFresh(given.nonce, flow.address))
      return this.#ask(transaction, given !== null);
    if (!transaction.admit()) return null;
    const person = isUserName(given.username)
      ? await this.findUser(given.username).catch(() => undefined)
      : null;
    if (person === undefined) {
      transaction.respond(503, { headers: { 'retry-after': '5' } });
      return null;
    }
    // A stranger's name takes as long as a wrong password, and is answered the same.
    const seen = this.#door.check(
      given,
      request.method,
      person?.ha1 ?? '0'.repeat(32),
      flow.address,
    );
    if (person && seen === 'right') return { user: given.username, person };
    if (person && seen === 'stale') return this.#ask(transaction, true);
    const refuse = (): void => transaction.respond(403);
    if (this.#countWrong(given.username, flow.address)) this.clock.after(throttleDelayMs, refuse);
    else refuse();
    return null;
  }

  #ask(transaction: ServerTransaction, stale: boolean): null {
    const challenge = `Digest realm="${this.realm}", nonce="${this.#door.nonce(transaction.flow.address)}", algorithm=MD5, qop="auth"${stale ? ', stale=true' : ''}`;
    transaction.respond(401, { headers: { 'www-authenticate': challenge } });
    return null;
  }

  /**
   * True when this user has been wrong too often from this address. That only slows wrong answers down: the right one is
   * never refused, neither here nor to the neighbours behind the same address.
   */
  #countWrong(user: string, address: string): boolean {
    const key = `${address} ${user.slice(0, 64)}`;
    const nowMs = this.clock.now();
    const known = this.#wrong.get(key);
    const entry =
      known && nowMs - known.sinceMs < failureWindowMs ? known : { count: 0, sinceMs: nowMs };
    entry.count++;
    this.#wrong.set(key, entry);
    if (this.#wrong.size > maxTrackedFailures)
      for (const oldest of this.#wrong.keys()) if (this.#wrong.delete(oldest)) break;
    if (entry.count === maxFailures)
      this.log('A SIP user was wrong ten times from one address', {
        user: user.slice(0, 64),
        address,
      });
    return entry.count > maxFailures;
  }

  /** Enter or renew. `gone`: whose place it took, when the user had too many. */
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

  find(user: string, contact: string): Registration | null {
    return this.#phones.get(`${user} ${contact}`) ?? null;
  }
  remove(phone: Registration): void {
    this.#phones.delete(`${phone.user} ${phone.contact}`);
  }

  /** Phones that did not renew. */
  removeExpired(): Registration[] {
    return this.#drop(({ untilMs }) => untilMs < this.clock.now());
  }
  /** Phones whose connection is gone: nothing reaches them. */
  removeByFlow(flow: Flow): Registration[] {
    return this.#drop((phone) => phone.flow.key === flow.key);
  }
  #drop(which: (phone: Registration) => boolean): Registration[] {
    const gone = this.all().filter(which);
    for (const phone of gone) this.remove(phone);
    return gone;
  }
}

/** No control characters, which no database takes either. */
const isUserName = (text: string): boolean => /^[\x21-\x7e]{1,64}$/.test(text);

/** A digest answer for our realm among the request's credentials. */
function credentialsOf(request: Request, realm: string): Credentials | null {
  for (const header of [
    ...request.headers.lines('authorization'),
    ...request.headers.lines('proxy-authorization'),
  ]) {
    if (!/^digest\s/i.test(header)) continue;
    const parts = new Map<string, string>();
    for (const [, name = '', quoted, plain] of header
      .slice(7)
      .matchAll(/([a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi))
      parts.set(name.toLowerCase(), quoted ?? plain ?? '');
    const part = (name: string): string => parts.get(name) ?? '';
    const [username, nonce, uri, response] = [
      part('username'),
      part('nonce'),
      part('uri'),
      part('response'),
    ];
    if (part('realm') !== realm || !username || !nonce || !uri || !response) continue;
    return {
      username,
      realm,
      nonce,
      uri,
      response,
      qop: parts.get('qop'),
      nc: parts.get('nc'),
      cnonce: parts.get('cnonce'),
      algorithm: parts.get('algorithm'),
    };
  }
  return null;
}
