/** Phones that are there: what the exchange rings as a device, and what the product knows of it, for as long as the phone is registered. */
import type { Device, Said } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import type { Registrar, Registration } from './registrar.ts';

export interface PhoneOptions {
  /** The phone is there (said every 15 s), or gone. */
  present: (who: { companyId: number; userId: number; device: string }, there: boolean) => Promise<void>;
  log: (message: string, detail?: object) => void;
}

const beatMs = 15_000;

/** `hear`: what the exchange tells one of a phone's devices. */
export function openPhones(exchange: Exchange, registrar: Registrar, { present, log }: PhoneOptions, hear: (name: string, device: Device, said: Said) => void) {
  const devices = new Map<string, Device[]>();
  /** Phones whose coming is being written down: a REGISTER said again meanwhile waits for the same. */
  const arriving = new Map<string, Promise<boolean>>();
  /**
   * Whoever calls the moment after the phone's "200 OK" must find it: before that the product has written down that it is
   * there. False when it could not.
   */
  function arrived(phone: Registration): Promise<boolean> {
    if (devices.has(phone.device)) return Promise.resolve(true);
    const coming = arriving.get(phone.device) ?? join(phone).finally(() => arriving.delete(phone.device));
    arriving.set(phone.device, coming);
    return coming;
  }

  /** One device a company, so that a person in several is rung in the right one. */
  async function join({ device: name, user, person: { userId, companies } }: Registration): Promise<boolean> {
    const stored = await Promise.allSettled(companies.map((companyId) => present({ companyId, userId, device: name }, true)));
    const failed = stored.find((one) => one.status === 'rejected');
    if (failed) {
      log('A SIP phone’s coming could not be written down', { because: String(failed.reason) });
      return false;
    }
    devices.set(name, companies.map((companyId) => {
      const device = exchange.devices.join({ kind: 'app', companyId, userId, identity: user, device: name }, null);
      device.tell = (said) => hear(name, device, said);
      exchange.ringLate(device);
      return device;
    }));
    return true;
  }

  async function gone(phone: Registration): Promise<void> {
    await arriving.get(phone.device);
    const left = devices.get(phone.device) ?? [];
    devices.delete(phone.device);
    await Promise.all(left.map(async (device) => {
      exchange.devices.forget(device);
      const { identity } = device;
      if (identity.kind === 'app') await present({ companyId: identity.companyId, userId: identity.userId, device: phone.device }, false).catch(() => undefined);
    }));
  }

  const beating = setInterval(() => {
    for (const phone of registrar.expire(Date.now())) void gone(phone);
    for (const { device, person } of registrar.all()) for (const companyId of person.companies) void present({ companyId, userId: person.userId, device }, true).catch(() => undefined);
  }, beatMs);

  return { arrived, gone, close: (): void => { clearInterval(beating); for (const phone of registrar.all()) void gone(phone); } };
}
