/**
 * Lines: a carrier dials our exchange for one call, `sip:<token>@…`, with G.711 over RTP. Nobody registers for it: the token
 * is all it may come in by, once. It rings until the product picks it up, and is joined to somebody's browser then.
 */
import { looksLikeLineToken } from '../../../../platform/one-time-line.ts';
import type { Device } from '../devices.ts';
import type { Leg } from '../leg.ts';
import { Call, type Surroundings } from './call.ts';
import { Dialog } from './dialog.ts';
import { readUri, type Request } from './message.ts';
import { readMedia } from './sdp.ts';
import type { ServerTransaction } from './transactions.ts';

export interface LineOptions {
  /** Where carriers reach us: in our Contact, and (its `address`) where their sound comes in. */
  at: { host: string; port: number; address: string };
  /** Who may come in by this token: whom it calls, and for whom. null: nobody. */
  admit: (token: string) => Promise<{ from: string; to: string } | null>;
}

/** Tokens looked up at once: anybody can invent them. */
const mostAdmitting = 50;
/** What a line that ended before it was picked up is answered with. */
const statusOf: Readonly<Record<string, number>> = { busy: 486, notInService: 404, noAnswer: 408 };

class LineCall extends Call {
  device: Device | null = null;
  answer = '';

  constructor(
    around: Surroundings,
    dialog: Dialog,
    private readonly invite: ServerTransaction,
  ) {
    super(around, dialog);
  }

  refuse(status: number): void {
    if (this.state !== 'early') return;
    this.invite.respond(status);
    this.end('cancelled');
  }
  pickUp(): void {
    const { leg } = this;
    if (this.state !== 'early' || !leg) return;
    this.state = 'up';
    leg.peer = this.peer;
    this.accept(this.invite, this.answer);
  }
  protected override givenUp(): void {
    this.invite.respond(487);
  }
  protected override refused(because: string): void {
    this.invite.respond(statusOf[because] ?? 480);
  }
  protected override legEnds(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    this.around.exchange.end(leg, cause, cause);
    if (this.device) this.around.exchange.devices.forget(this.device);
  }
}

export class Lines {
  #admitting = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly options: LineOptions,
  ) {}

  /** True when an INVITE wants to be a line. */
  wants(request: Request): boolean {
    return looksLikeLineToken(userOf(request));
  }

  async invited(transaction: ServerTransaction): Promise<void> {
    const { around } = this;
    const { request, flow } = transaction;
    // Looked at before the token is used up.
    if (!readMedia(request.body)) return transaction.respond(488);
    if (this.#admitting >= mostAdmitting)
      return transaction.respond(503, { headers: { 'retry-after': '2' } });
    if (!transaction.keep()) return;
    transaction.respond(100);
    const { host, port, address } = this.options.at;
    const dialog = Dialog.invited(request, flow, transaction.tag, `<sip:line@${host}:${port}>`);
    const line = new LineCall({ ...around, host: address }, dialog, transaction);
    transaction.onCancel = () => line.refuse(487);
    this.#admitting++;
    try {
      const who = await this.options.admit(userOf(request)).finally(() => this.#admitting--);
      if (line.isOver()) return;
      if (!who) return line.refuse(403);
      const media = await line.openRtp();
      if (line.isOver()) return media.rtp.close();
      line.answer = media.answer(request.body) ?? '';
      const device = around.exchange.devices.join(
        { kind: 'handset', number: who.to, device: request.callId },
        null,
      );
      line.device = device;
      device.tell = (said) => {
        if (said.type === 'answered') line.pickUp();
        else if (said.type === 'ended') line.leave(said.because);
      };
      transaction.respond(180);
      line.leg = around.exchange.callIn(who.from, who.to, { device, line: true });
      // A full exchange has ended it already.
      if (line.leg.state === 'ended') line.leave('busy');
    } catch (trouble) {
      around.log('A line could not be taken', { because: String(trouble) });
      line.refuse(500);
    }
  }
}

const userOf = (request: Request): string => readUri(request.uri)?.user ?? '';
