/**
 * Interconnect calls: a carrier dials our exchange for one call, `sip:<token>@…`, with G.711 over
 * RTP. There is no registration: the token admits one call, once. The call rings until the product
 * answers it and joins it to a user's browser.
 */
import { isSipTrunkToken } from '../../platform/sip-trunk-token.ts';
import type { Device } from '../devices.ts';
import type { Leg } from '../leg.ts';
import { Call, type CallServices } from './call.ts';
import { Dialog } from './dialog.ts';
import { readUri } from './grammar.ts';
import type { Request } from './message.ts';
import { readMedia } from './sdp.ts';
import type { ServerTransaction } from './server-transaction.ts';

export interface InterconnectOptions {
  /** Where carriers reach us: `host` and `port` for our Contact, `address` for audio. */
  at: { host: string; port: number; address: string };
  /**
   * The numbers of the call that this token admits; null when it admits none. Uses the token up.
   */
  admit: (token: string) => Promise<{ from: string; to: string } | null>;
}

/** Tokens looked up at once: anyone on the internet can make them up. */
const maxAdmitting = 50;
/** The status that refuses a call, by the reason for which its leg ended before it was answered. */
const statusOf: Readonly<Record<string, number>> = { busy: 486, notInService: 404, noAnswer: 408 };

class InterconnectCall extends Call {
  device: Device | null = null;
  /** Our SDP answer. */
  answer = '';

  constructor(
    services: CallServices,
    dialog: Dialog,
    private readonly invite: ServerTransaction,
  ) {
    super(services, dialog);
  }

  respondAndEnd(status: number): void {
    if (this.state !== 'early') return;
    this.invite.respond(status);
    this.end('cancelled');
  }

  answerCall(): void {
    const { leg } = this;
    if (this.state !== 'early' || !leg) return;
    this.state = 'up';
    leg.peer = this.audio.peer;
    this.accept(this.invite, this.answer);
  }

  protected override onAbandoned(): void {
    this.invite.respond(487);
  }

  protected override reject(because: string): void {
    this.invite.respond(statusOf[because] ?? 480);
  }

  protected override endLeg(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    this.services.exchange.end(leg, cause, cause);
    if (this.device) this.services.exchange.devices.remove(this.device);
  }
}

export class Interconnects {
  #admitting = 0;

  constructor(
    private readonly services: CallServices,
    private readonly options: InterconnectOptions,
  ) {}

  /** Whether an INVITE is addressed to an interconnect token. */
  isFor(request: Request): boolean {
    return isSipTrunkToken(userOf(request));
  }

  async onInvite(transaction: ServerTransaction): Promise<void> {
    const { services } = this;
    const { request, flow } = transaction;
    // Checked before the token is used up.
    if (!readMedia(request.body)) return transaction.respond(488);
    if (this.#admitting >= maxAdmitting)
      return transaction.respond(503, { headers: { 'retry-after': '2' } });
    if (!transaction.admit()) return;
    transaction.respond(100);
    const { host, port, address } = this.options.at;
    const dialog = Dialog.fromInvite(request, flow, transaction.tag, `<sip:line@${host}:${port}>`);
    const call = new InterconnectCall({ ...services, host: address }, dialog, transaction);
    transaction.onCancel = () => call.respondAndEnd(487);
    try {
      await this.#connect(call, transaction);
    } catch (error) {
      services.log('An interconnect call failed', { because: String(error) });
      call.respondAndEnd(500);
    }
  }

  async #connect(call: InterconnectCall, transaction: ServerTransaction): Promise<void> {
    const { exchange } = this.services;
    const { request } = transaction;
    this.#admitting++;
    const numbers = await this.options.admit(userOf(request)).finally(() => this.#admitting--);
    if (call.isOver()) return;
    if (!numbers) return call.respondAndEnd(403);
    const media = await call.audio.openRtp();
    if (call.isOver()) return media.rtp.close();
    call.answer = media.answer(request.body) ?? '';
    const device = exchange.devices.join(
      { kind: 'handset', number: numbers.to, device: request.callId },
      null,
    );
    call.device = device;
    device.send = (message) => {
      if (message.type === 'answered') call.answerCall();
      else if (message.type === 'ended') call.onLegEnded(message.because);
    };
    transaction.respond(180);
    call.leg = exchange.receiveCall(numbers.from, numbers.to, { device, interconnect: true });
    // A full exchange ends the leg at once.
    if (call.leg.state === 'ended') call.onLegEnded('busy');
  }
}

/** The user part of the Request-URI. */
const userOf = (request: Request): string => readUri(request.uri)?.user ?? '';
