/**
 * SIP phones that are registered: each is a device of the exchange, and the product knows that it
 * is online.
 */
import type { Device, DeviceMessage } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import { readAddress, type Address } from './grammar.ts';
import type { Peers } from './peers.ts';
import { maxContacts, type Registrar, type Registration, type SipUser } from './registrar.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Flow } from './transaction-types.ts';

export interface PhoneOptions {
  /**
   * Called when the phone registers, every 15 s while it is registered, and (`online` false) when
   * it is gone.
   */
  onPresence: (
    who: { companyId: number; userId: number; device: string },
    online: boolean,
  ) => Promise<void>;
  log: (message: string, detail?: object) => void;
  /** The other exchanges, which ring it, too. */
  peers?: Peers | undefined;
}

const heartbeatMs = 15_000;
const defaultExpirySeconds = 300;

export class RegisteredPhones {
  /** The exchange's devices by the phone's device name: one a company. */
  readonly #devices = new Map<string, Device[]>();
  /** Phones whose presence is being stored. A repeated REGISTER waits for the same result. */
  readonly #joining = new Map<string, Promise<boolean>>();
  readonly #heartbeat = setInterval(() => this.#beat(), heartbeatMs);

  constructor(
    private readonly exchange: Exchange,
    private readonly registrar: Registrar,
    private readonly options: PhoneOptions,
    /** What the exchange sends to one of a phone's devices. */
    private readonly onMessage: (name: string, device: Device, message: DeviceMessage) => void,
    /** `host:port` by which phones know this exchange. */
    private readonly at: () => string,
  ) {}

  /** REGISTER (RFC 3261 §10.3). */
  async register(transaction: ServerTransaction): Promise<void> {
    const seen = await this.registrar.authenticate(transaction);
    if (!seen) return;
    const { headers } = transaction.request;
    const { user, person } = seen;
    if (headers.get('contact') === '*') {
      if (headers.get('expires') !== '0') return transaction.respond(400);
      await Promise.all(this.#phonesOf(user).map((phone) => this.#unregister(phone)));
      return transaction.respond(200);
    }
    const contacts = headers
      .list('contact')
      .map((value) => readAddress(value))
      .filter((contact) => contact !== null);
    if (contacts.length > maxContacts) return transaction.respond(403);
    for (const contact of contacts) {
      const status = await this.#registerContact(transaction, user, person, contact);
      if (status === 503) return transaction.respond(503, { headers: { 'retry-after': '5' } });
      if (status !== 200) return transaction.respond(status);
    }
    this.#respondWithContacts(transaction, user);
  }

  /** Registers, renews or (expiry 0) removes one contact. Returns the status to answer with. */
  async #registerContact(
    { request, flow }: ServerTransaction,
    user: string,
    person: SipUser,
    { uri, params }: Address,
  ): Promise<200 | 400 | 503> {
    if (!/^sips?:/i.test(uri)) return 400;
    const expirySeconds = parseExpiry(params.get('expires') ?? request.headers.get('expires'));
    const known = this.registrar.find(user, uri);
    if (expirySeconds === 0) {
      if (known) await this.#unregister(known);
      return 200;
    }
    const { phone, gone } = this.registrar.register(user, person, uri, flow, expirySeconds);
    if (gone) await this.#disconnect(gone);
    // A 200 would promise that the phone rings.
    if (!(await this.#connect(phone))) {
      this.registrar.remove(phone);
      return 503;
    }
    await this.#share(phone);
    return 200;
  }

  /** Other exchanges ring it, too. Without them it still rings for calls here. */
  async #share(phone: Registration): Promise<void> {
    const id = this.exchange.id();
    if (id === null || !this.options.peers) return;
    const { device, user, person, contact, flow, untilMs } = phone;
    const { transport, address, port, key } = flow;
    const shared = {
      ...{ device, user, ...person, contact },
      ...{ transport, address, port, flow: key, reachedAt: this.at() },
    };
    await this.options.peers.add(id, shared, untilMs).catch((error: unknown) => {
      this.options.log('Other exchanges don’t know a SIP phone', { because: String(error) });
    });
  }

  #respondWithContacts(transaction: ServerTransaction, user: string): void {
    const secondsLeft = ({ untilMs }: Registration): number =>
      Math.max(1, Math.round((untilMs - transaction.clock.now()) / 1000));
    transaction.respond(200, {
      headers: {
        contact: this.#phonesOf(user).map(
          (phone) => `<${phone.contact}>;expires=${secondsLeft(phone)}`,
        ),
        date: new Date().toUTCString(),
      },
    });
  }

  #phonesOf(user: string): Registration[] {
    return this.registrar.all().filter((phone) => phone.user === user);
  }

  /**
   * A call placed right after the phone's 200 has to find it, so its presence is stored before
   * that. False when it could not be stored.
   */
  #connect(phone: Registration): Promise<boolean> {
    const { device } = phone;
    if (this.#devices.has(device)) return Promise.resolve(true);
    const joining =
      this.#joining.get(device) ?? this.#join(phone).finally(() => this.#joining.delete(device));
    this.#joining.set(device, joining);
    return joining;
  }

  /** One device a company, so that a user of several companies is rung in the right one. */
  async #join({ device: name, user, person }: Registration): Promise<boolean> {
    const { userId, companies } = person;
    const stored = await Promise.allSettled(
      companies.map((companyId) =>
        this.options.onPresence({ companyId, userId, device: name }, true),
      ),
    );
    const failed = stored.find((one) => one.status === 'rejected');
    if (failed) {
      const because = String(failed.reason);
      this.options.log('The presence of a SIP phone could not be stored', { because });
      return false;
    }
    const devices = companies.map((companyId) => {
      const device = this.exchange.devices.join(
        { kind: 'app', companyId, userId, identity: user, device: name },
        null,
      );
      device.send = (message) => this.onMessage(name, device, message);
      this.exchange.ringNewDevice(device);
      return device;
    });
    this.#devices.set(name, devices);
    return true;
  }

  #unregister(phone: Registration): Promise<void> {
    this.registrar.remove(phone);
    return this.#disconnect(phone);
  }

  /** The phone is no longer registered: its devices are removed and it is not rung any more. */
  async #disconnect(phone: Registration): Promise<void> {
    await this.#joining.get(phone.device);
    const devices = this.#devices.get(phone.device) ?? [];
    this.#devices.delete(phone.device);
    const id = this.exchange.id();
    // An expired one is ignored by the others, too.
    if (id !== null) void this.options.peers?.remove(id, phone.device).catch(() => undefined);
    await Promise.all(
      devices.map(async (device) => {
        this.exchange.devices.remove(device);
        const { identity } = device;
        if (identity.kind !== 'app') return;
        const { companyId, userId } = identity;
        await this.options
          .onPresence({ companyId, userId, device: phone.device }, false)
          .catch(() => undefined);
      }),
    );
  }

  #beat(): void {
    for (const phone of this.registrar.removeExpired()) void this.#disconnect(phone);
    for (const { device, person } of this.registrar.all())
      for (const companyId of person.companies)
        void this.options
          .onPresence({ companyId, userId: person.userId, device }, true)
          .catch(() => undefined);
  }

  /** The connection over which phones were registered is gone. */
  disconnected(flow: Flow): void {
    for (const phone of this.registrar.removeByFlow(flow)) void this.#disconnect(phone);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const phone of this.registrar.all()) void this.#disconnect(phone);
  }
}

/**
 * The expiry a phone asks for, in seconds and capped; the default when it is missing or not a
 * number.
 */
function parseExpiry(text: string | null): number {
  if (text === null || !/^\d+$/.test(text)) return defaultExpirySeconds;
  return Math.min(Number(text), defaultExpirySeconds);
}
