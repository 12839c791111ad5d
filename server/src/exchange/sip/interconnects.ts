/**
 * Lines: a carrier dials our exchange for one call, `sip:<token>@…`, with G.711 over RTP. Nobody registers for it: the token
 * is all it may come in by, once. It rings until the product picks it up, and is joined to somebody's browser then.
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
  /** Where carriers reach us: in our Contact, and (its `address`) where their sound comes in. */
  at: { host: string; port: number; address: string };
  /** Who may come in by this token: whom it calls, and for whom. null: nobody. */
  admit: (token: string) => Promise<{ from: string; to: string } | null>;
}

/** Tokens looked up at once: anybody can invent them. */
const maxAdmitting = 50;
/** What a line that ended before it was picked up is answered with. */
const statusOf: Readonly<Record<string, number>> = { busy: 486, notInService: 404, noAnswer: 408 };

class InterconnectCall extends Call {
  device: Device | null = null;
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
    leg.peer = this.peer;
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

  /** True when an INVITE wants to be a line. */
  isFor(request: Request): boolean {
    return isSipTrunkToken(userOf(request));
  }

  async onInvite(transaction: ServerTransaction): Promise<void> {
    const { services } = this;
    const { request, flow } = transaction;
    // Looked at before the token is used up.
    if (!readMedia(request.body)) return transaction.respond(488);
    if (this.#admitting >= maxAdmitting)
      return transaction.respond(503, { headers: { 'retry-after': '2' } });
    if (!transaction.admit()) return;
    transaction.respond(100);
    const { host, port, address } = this.options.at;
    const dialog = Dialog.fromInvite(request, flow, transaction.tag, `<sip:line@${host}:${port}>`);
    const line = new InterconnectCall({ ...services, host: address }, dialog, transaction);
    transaction.onCancel = () => line.respondAndEnd(487);
    this.#admitting++;
    try {
      const who = await this.options.admit(userOf(request)).finally(() => this.#admitting--);
      if (line.isOver()) return;
      if (!who) return line.respondAndEnd(403);
      const media = await line.openRtp();
      if (line.isOver()) return media.rtp.close();
      line.answer = media.answer(request.body) ?? '';
      const device = services.exchange.devices.join(
        { kind: 'handset', number: who.to, device: request.callId },
        null,
      );
      line.device = device;
      device.send = (message) => {
        if (message.type === 'answered') line.answerCall();
        else if (message.type === 'ended') line.onLegEnded(message.because);
      };
      transaction.respond(180);
      line.leg = services.exchange.receiveCall(who.from, who.to, { device, interconnect: true });
      // A full exchange has ended it already.
      if (line.leg.state === 'ended') line.onLegEnded('busy');
    } catch (trouble) {
      services.log('A line could not be taken', { because: String(trouble) });
      line.respondAndEnd(500);
    }
  }
}

const userOf = (request: Request): string => readUri(request.uri)?.user ?? '';
