/** SIP phones that are registered at other exchanges: devices here, too, so that calls here ring them. */
import type { Device, DeviceMessage } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import type { SipPhoneElsewhere } from '../../platform/sip-phones.ts';
import type { Peers } from './peers.ts';
import type { Registration } from './registrar.ts';
import type { Flow } from './transaction-types.ts';

/** How soon a phone that registers elsewhere rings for calls here. */
const lookEveryMs = 1000;

interface Known {
  said: string;
  phone: Registration;
  devices: Device[];
}

export class PhonesElsewhere {
  readonly #known = new Map<string, Known>();
  #looking: Promise<void> | null = null;
  readonly #timer = setInterval(() => {
    this.#looking ??= this.#look()
      .catch((error: unknown) =>
        this.log('SIP phones elsewhere are unknown', { because: String(error) }),
      )
      .finally(() => {
        this.#looking = null;
      });
  }, lookEveryMs);

  constructor(
    private readonly exchange: Exchange,
    private readonly peers: Peers,
    private readonly flowTo: (phone: SipPhoneElsewhere) => Flow,
    private readonly onMessage: (name: string, device: Device, message: DeviceMessage) => void,
    private readonly log: (message: string, detail?: object) => void,
  ) {}

  /** Null when there is no such device. */
  find(device: string): Registration | null {
    return this.#known.get(device)?.phone ?? null;
  }

  async #look(): Promise<void> {
    const id = this.exchange.id();
    if (id === null) return;
    const phones = await this.peers.phones(id);
    const left = new Set(this.#known.keys());
    for (const found of phones) {
      left.delete(found.device);
      const said = JSON.stringify(found);
      const known = this.#known.get(found.device);
      if (known?.said === said) continue;
      if (known && known.phone.person.companies.join() === found.companies.join())
        Object.assign(known, { said, phone: this.#registrationOf(found) });
      else {
        if (known) this.#leave(found.device);
        this.#join(found, said);
      }
    }
    for (const device of left) this.#leave(device);
  }

  #registrationOf(found: SipPhoneElsewhere): Registration {
    const { user, userId, companies, device, contact } = found;
    const flow = this.flowTo(found);
    return { user, person: { userId, companies }, device, contact, flow, untilMs: Infinity };
  }

  #join(found: SipPhoneElsewhere, said: string): void {
    const { device: name, user, userId, companies } = found;
    const phone = this.#registrationOf(found);
    const devices = companies.map((companyId) => {
      const device = this.exchange.devices.join(
        { kind: 'app', companyId, userId, identity: user, device: name },
        null,
      );
      device.send = (message) => this.onMessage(name, device, message);
      return device;
    });
    this.#known.set(name, { said, phone, devices });
    for (const device of devices) this.exchange.ringNewDevice(device);
  }

  #leave(name: string): void {
    for (const device of this.#known.get(name)?.devices ?? []) this.exchange.devices.remove(device);
    this.#known.delete(name);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    for (const name of [...this.#known.keys()]) this.#leave(name);
  }
}
