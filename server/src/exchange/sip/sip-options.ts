/** How the SIP server is set up. */
import type { InterconnectOptions } from './interconnects.ts';
import type { PhoneOptions } from './registered-phones.ts';
import type { SipUser } from './registrar.ts';
import type { Clock } from './transaction-types.ts';
import type { Peers } from './peers.ts';
import type { PlaceCall } from './uas.ts';

export interface SipOptions extends PhoneOptions {
  /** 0: any free port. */
  port: number;
  /** The address phones reach; sound is sent from it too. */
  host: string;
  /** The address to listen at, when that is not `host`. */
  bind?: string | undefined;
  /** PEM texts of a certificate and its key. Left out: TLS is not supported. */
  tls?: { cert: string; key: string } | undefined;
  realm: string;
  secret: string;
  udpPorts?: [number, number] | undefined;
  /** Null: there is no such user. */
  findUser: (user: string) => Promise<SipUser | null>;
  placeCall: PlaceCall;
  /**
   * A phone puts the call of this leg on hold, or resumes it. Left out: only the phone's own audio
   * pauses.
   */
  hold?: ((who: PhoneUser, leg: string, on: boolean) => Promise<unknown>) | undefined;
  /**
   * A phone transfers the call of this leg to a number or SIP user. Resolves to why it cannot, or
   * null. Left out: phones cannot transfer.
   */
  transfer?: ((who: PhoneUser, leg: string, to: string) => Promise<string | null>) | undefined;
  /** Calls that carriers place to us by token. Left out: none are taken. */
  interconnects?: InterconnectOptions | undefined;
  /** The other exchanges of the installation. Left out: this is the only one. */
  peers?: Peers | undefined;
  /** Where they reach this one: its control port's `http://host:port`. */
  url: string;
  clock?: Clock | undefined;
}

/** The phone that acts, and the company of its call. */
export interface PhoneUser {
  companyId: number;
  userId: number;
  device: string;
}
