/** Phones that are there: what the exchange rings as a device, and what the product knows of it, for as long as the phone is registered. */
import type { Device, DeviceMessage } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import { readAddress } from './grammar.ts';
import { maxContacts, type Registrar, type Registration } from './registrar.ts';
import type { Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

export interface PhoneOptions {
  /** The phone is there (said every 15 s), or gone. */
  onPresence: (
    who: { companyId: number; userId: number; device: string },
    there: boolean,
  ) => Promise<void>;
  log: (message: string, detail?: object) => void;
}

const heartbeatMs = 15_000;
const defaultExpirySeconds = 300;

/** `hear`: what the exchange tells one of a phone's devices. */
export function openRegisteredPhones(
  exchange: Exchange,
  registrar: Registrar,
  { onPresence, log }: PhoneOptions,
  onMessage: (name: string, device: Device, message: DeviceMessage) => void,
) {
  const devices = new Map<string, Device[]>();
  /** Phones whose coming is being written down: a REGISTER said again meanwhile waits for the same. */
  const arriving = new Map<string, Promise<boolean>>();

  /** REGISTER (RFC 3261 §10.3). */
  async function register(transaction: ServerTransaction): Promise<void> {
    const seen = await registrar.authenticate(transaction);
    if (!seen) return;
    const { request, flow } = transaction;
    const { user, person } = seen;
    const { headers } = request;
    const mine = (): Registration[] => registrar.all().filter((phone) => phone.user === user);
    if (headers.get('contact') === '*') {
      if (headers.get('expires') !== '0') return transaction.respond(400);
      await Promise.all(mine().map((phone) => leave(phone)));
      return transaction.respond(200);
    }
    const contacts = headers
      .list('contact')
      .map((value) => readAddress(value))
      .filter((contact) => contact !== null);
    if (contacts.length > maxContacts) return transaction.respond(403);
    for (const { uri, params } of contacts) {
      if (!/^sips?:/i.test(uri)) return transaction.respond(400);
      const wanted = parseExpiry(params.get('expires') ?? headers.get('expires'));
      const known = registrar.find(user, uri);
      if (wanted === 0) {
        if (known) await leave(known);
        continue;
      }
      const { phone, gone } = registrar.register(user, person, uri, flow, wanted);
      if (gone) await left(gone);
      // "OK" would promise that it rings.
      if (!(await arrived(phone))) {
        registrar.remove(phone);
        return transaction.respond(503, { headers: { 'retry-after': '5' } });
      }
    }
    const secondsLeft = ({ untilMs }: Registration): number =>
      Math.max(1, Math.round((untilMs - transaction.clock.now()) / 1000));
    transaction.respond(200, {
      headers: {
        contact: mine().map((phone) => `<${phone.contact}>;expires=${secondsLeft(phone)}`),
        date: new Date().toUTCString(),
      },
    });
  }

  /**
   * Whoever calls the moment after the phone's "200 OK" must find it: before that the product has written down that it is
   * there. False when it could not.
   */
  function arrived(phone: Registration): Promise<boolean> {
    if (devices.has(phone.device)) return Promise.resolve(true);
    const coming =
      arriving.get(phone.device) ?? join(phone).finally(() => arriving.delete(phone.device));
    arriving.set(phone.device, coming);
    return coming;
  }

  /** One device a company, so that a person in several is rung in the right one. */
  async function join({
    device: name,
    user,
    person: { userId, companies },
  }: Registration): Promise<boolean> {
    const stored = await Promise.allSettled(
      companies.map((companyId) => onPresence({ companyId, userId, device: name }, true)),
    );
    const failed = stored.find((one) => one.status === 'rejected');
    if (failed) {
      log('A SIP phone’s coming could not be written down', { because: String(failed.reason) });
      return false;
    }
    devices.set(
      name,
      companies.map((companyId) => {
        const device = exchange.devices.join(
          { kind: 'app', companyId, userId, identity: user, device: name },
          null,
        );
        device.send = (message) => onMessage(name, device, message);
        exchange.ringNewDevice(device);
        return device;
      }),
    );
    return true;
  }

  function leave(phone: Registration): Promise<void> {
    registrar.remove(phone);
    return left(phone);
  }
  /** No longer registered: nobody rings it. */
  async function left(phone: Registration): Promise<void> {
    await arriving.get(phone.device);
    const its = devices.get(phone.device) ?? [];
    devices.delete(phone.device);
    await Promise.all(
      its.map(async (device) => {
        exchange.devices.remove(device);
        const { identity } = device;
        if (identity.kind === 'app')
          await onPresence(
            { companyId: identity.companyId, userId: identity.userId, device: phone.device },
            false,
          ).catch(() => undefined);
      }),
    );
  }

  const beating = setInterval(() => {
    for (const phone of registrar.removeExpired()) void left(phone);
    for (const { device, person } of registrar.all())
      for (const companyId of person.companies)
        void onPresence({ companyId, userId: person.userId, device }, true).catch(() => undefined);
  }, heartbeatMs);

  return {
    register,
    disconnected: (flow: Flow): void => {
      for (const phone of registrar.removeByFlow(flow)) void left(phone);
    },
    close: (): void => {
      clearInterval(beating);
      for (const phone of registrar.all()) void left(phone);
    },
  };
}

/** Seconds a phone asks for; what is no number means the usual. */
function parseExpiry(text: string | null): number {
  if (text === null || !/^\d+$/.test(text)) return defaultExpirySeconds;
  return Math.min(Number(text), defaultExpirySeconds);
}
