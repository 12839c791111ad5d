/**
 * One call between a SIP client and the exchange, in either direction: requests within the dialog,
 * and how it ends.
 */
import type { Exchange } from '../exchange.ts';
import type { Leg } from '../leg.ts';
import { CallAudio, type AudioAddress } from './call-audio.ts';
import type { Dialog } from './dialog.ts';
import type { Request } from './message.ts';
import { allowedMethods } from './methods.ts';
import { readDtmfInfo, readReferTo } from './in-dialog-requests.ts';
import type { Registration } from './registrar.ts';
import type { PhoneActions } from './phone-actions.ts';
import type { Clock } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Transactions } from './transactions.ts';

/** What every call uses of its server. */
export interface CallServices extends AudioAddress {
  exchange: Exchange;
  transactions: Transactions;
  clock: Clock;
  /** Calls by Call-ID and our tag (`callKey`). */
  calls: Map<string, Call>;
  log: (message: string, detail?: object) => void;
}

/** The key of a call in `CallServices.calls`. */
export const callKey = (callId: string, ourTag: string): string => `${callId} ${ourTag}`;

export abstract class Call {
  state: 'early' | 'up' | 'over' = 'early';
  leg: Leg | null = null;
  /** The phone whose call it is; null for a carrier's. */
  readonly phone: Registration | null = null;
  readonly audio: CallAudio;
  actions: PhoneActions = {};
  /** The INVITE whose 200 carried our offer: the answer comes with the ACK (RFC 3261 §13.2.1). */
  #awaitsAnswer: ServerTransaction | null = null;
  /** INVITEs that we accepted and the client has not acknowledged yet, by CSeq number. */
  readonly #accepted = new Map<number, ServerTransaction>();
  #held = false;
  /** A transfer is under way: the phone is notified of its result before its own call ends. */
  #transferring = false;
  /** Hang up as soon as that is allowed. */
  #hangUpPending = false;
  /** Serializes hold requests. */
  #lastHold: Promise<unknown> = Promise.resolve();

  constructor(
    protected readonly services: CallServices,
    readonly dialog: Dialog,
  ) {
    services.calls.set(callKey(dialog.callId, dialog.localTag), this);
    this.audio = new CallAudio(services, {
      packet: (packet) => this.leg?.receiveAudio(packet, performance.now()),
      key: (digit) => this.#receiveKey(digit),
      closed: () => {
        if (this.leg && this.leg.peer === this.audio.peer && !this.isOver())
          services.exchange.end(this.leg, 'hangup', 'connectionLost');
      },
    });
  }

  isOver(): boolean {
    return this.state === 'over';
  }

  /** The client ended the call before it was answered. */
  protected abstract onAbandoned(): void;
  /** Tells the client that the unanswered call is over. `because`: why the exchange ended it. */
  protected abstract reject(because: string): void;

  #receiveKey(digit: string): void {
    if (this.leg) this.services.exchange.receiveDigits(this.leg, digit);
  }

  // ---- requests within the dialog ----

  handleRequest(transaction: ServerTransaction): void {
    const { request, flow } = transaction;
    if (!transaction.admit()) return;
    if (!this.dialog.accepts(request, flow))
      return transaction.respond(500, { headers: { 'retry-after': '2' } });
    switch (request.method) {
      case 'BYE':
        transaction.respond(200);
        if (this.state === 'early') this.onAbandoned();
        return this.end();
      case 'INVITE':
        return this.#reinvite(transaction);
      case 'INFO':
        return this.#receiveInfo(transaction);
      case 'REFER':
        return this.#receiveRefer(transaction);
      case 'OPTIONS':
        return transaction.respond(200, { headers: { allow: allowedMethods } });
      default:
        return transaction.respond(405, { headers: { allow: allowedMethods } });
    }
  }

  /** The ACK of a 200 of ours. */
  ack(request: Request): void {
    const transaction = this.#accepted.get(request.cseq.number);
    if (!transaction) return;
    this.#accepted.delete(request.cseq.number);
    transaction.acknowledge();
    if (this.#awaitsAnswer === transaction) {
      this.#awaitsAnswer = null;
      if (this.audio.rtp && !this.audio.rtp.accept(request.body)) this.#hangUpPending = true;
    }
    if (this.#hangUpPending) this.hangUp();
  }

  /** Sends the 200 to an INVITE. `body` is our answer, or our offer when the INVITE had none. */
  protected accept(transaction: ServerTransaction, body: string): void {
    const { number } = transaction.request.cseq;
    this.#accepted.set(number, transaction);
    if (transaction.request.body === '') this.#awaitsAnswer = transaction;
    transaction.onUnacknowledged = () => {
      this.#accepted.delete(number);
      this.hangUp();
    };
    const routes = transaction.request.headers.lines('record-route');
    const headers = {
      contact: this.dialog.contact,
      'record-route': routes,
      allow: allowedMethods,
      'content-type': 'application/sdp',
    };
    transaction.respond(200, { headers, body });
  }

  /** A re-INVITE: the audio moves to another address, is put on hold or resumed. */
  #reinvite(transaction: ServerTransaction): void {
    const { rtp } = this.audio;
    const { body } = transaction.request;
    if (this.state !== 'up' || this.#awaitsAnswer) return transaction.respond(491);
    if (!rtp) return transaction.respond(488);
    const answer = body === '' ? rtp.offer() : rtp.answer(body);
    if (answer === null) return transaction.respond(488);
    this.accept(transaction, answer);
    if (body !== '') this.#setHeld(rtp.held);
  }

  /** Hold and resume reach the product in the order the phone sent them. */
  #setHeld(on: boolean): void {
    if (this.#held === on) return;
    this.#held = on;
    const { hold } = this.actions;
    if (!hold) return;
    this.#lastHold = this.#lastHold
      .then(() => hold(on))
      .catch((error: unknown) =>
        this.services.log('A SIP phone’s hold request failed', { because: String(error) }),
      );
  }

  /** INFO: keys of phones that send them as messages instead of RTP events. */
  #receiveInfo(transaction: ServerTransaction): void {
    const read = readDtmfInfo(transaction.request);
    if ('status' in read) {
      const accept = 'application/dtmf-relay, application/dtmf';
      return transaction.respond(read.status, read.status === 415 ? { headers: { accept } } : {});
    }
    transaction.respond(200);
    if (read.key !== '' && this.state === 'up') this.#receiveKey(read.key);
  }

  /**
   * REFER: a desk phone's transfer key. The product rings the target, and the phone is notified of
   * the result.
   */
  #receiveRefer(transaction: ServerTransaction): void {
    const { transfer } = this.actions;
    const { request } = transaction;
    const target = readReferTo(request);
    if ('status' in target) return transaction.respond(target.status);
    if (this.state !== 'up' || !transfer) return transaction.respond(603);
    transaction.respond(202, { headers: { contact: this.dialog.contact } });
    const event = `refer;id=${request.cseq.number}`;
    this.#notify(event, 'active;expires=60', '100 Trying');
    this.#transferring = true;
    void transfer(target.user)
      .catch(() => 'The call couldn’t be transferred.')
      .then((fault) => {
        const status = fault === null ? '200 OK' : '603 Decline';
        this.#notify(event, 'terminated;reason=noresource', status);
        this.#transferring = false;
        if (this.#hangUpPending) this.hangUp();
      });
  }

  /** Reports the progress of a transfer (RFC 3515 §2.4.5). */
  #notify(event: string, state: string, statusLine: string): void {
    const message = this.dialog.request(
      'NOTIFY',
      { event, 'subscription-state': state, 'content-type': 'message/sipfrag;version=2.0' },
      `SIP/2.0 ${statusLine}\r\n`,
    );
    this.services.transactions.sendRequest(this.dialog.flow, message, () => undefined);
  }

  // ---- the end ----

  /** The exchange ended the leg: sends the client a BYE, or the refusal of an unanswered call. */
  onLegEnded(because: string): void {
    if (this.state === 'up') this.hangUp();
    else if (this.state === 'early') {
      this.reject(because);
      this.end();
    }
  }

  /** Sends BYE: after the ACK of our 200 (§15) and the result of a transfer, unless `now`. */
  hangUp(now = false): void {
    if (this.state !== 'up') return;
    this.#hangUpPending = true;
    if (!now && (this.#transferring || this.#accepted.size > 0)) return;
    this.services.transactions.sendRequest(
      this.dialog.flow,
      this.dialog.request('BYE'),
      () => undefined,
    );
    this.end();
  }

  /** Ends the call on our side, without a message to the client. */
  end(cause: 'hangup' | 'cancelled' = 'hangup'): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.services.calls.delete(callKey(this.dialog.callId, this.dialog.localTag));
    for (const transaction of this.#accepted.values()) transaction.acknowledge();
    const { leg, audio } = this;
    if (leg) this.endLeg(leg, cause);
    audio.peer?.close();
  }

  /** Ends the exchange's leg once the client is gone. */
  protected endLeg(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    if (leg.state !== 'ended' && leg.peer === this.audio.peer && this.audio.peer)
      this.services.exchange.end(leg, cause, cause);
  }
}
