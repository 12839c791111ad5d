import type { SipPhone, SipPhoneElsewhere } from '../../platform/sip-phones.ts';

/** The exchanges of one installation, as one of them knows the others. */
export interface Peers {
  /** Tells the others that this phone is registered at the exchange, until then (ms since 1970). */
  add(exchange: string, phone: SipPhone, untilMs: number): Promise<void>;
  remove(exchange: string, device: string): Promise<void>;
  /** The phones that are registered at others. */
  phones(exchange: string): Promise<SipPhoneElsewhere[]>;
}
