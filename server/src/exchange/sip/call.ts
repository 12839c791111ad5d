/** One call between a SIP client and the exchange, whoever began it: what is asked within it, and how it ends. */
import type { Exchange } from '../exchange.ts';
import type { Leg } from '../leg.ts';
import { type Peer, answerOffer } from '../peer.ts';
import type { Dialog } from './dialog.ts';
import { readAddress, readUri } from './grammar.ts';
import type { Request } from './message.ts';
import type { Registration } from './registrar.ts';
import { openRtpPeer } from './rtp-peer.ts';
import { MediaSession } from './sdp.ts';
import type { Clock } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Transactions } from './transactions.ts';

/** What calls have in common of the server they belong to. */
export interface CallServices {
  exchange: Exchange;
  transactions: Transactions;
  clock: Clock;
  /** Calls that stand, by Call-ID and our tag. */
  calls: Map<string, Call>;
  /** The address sound is sent from and taken at, as clients know it and as sockets do. */
  host: string;
  bind: string;
  udpPorts?: [number, number] | undefined;
  log: (message: string, detail?: object) => void;
}
export const allowedMethods = 'INVITE, ACK, CANCEL, BYE, OPTIONS, REGISTER, INFO, REFER';
export const callKey = (callId: string, ourTag: string): string => `${callId} ${ourTag}`;

/** What a phone's user may ask of the product within a call. Left out: the exchange does what it can by itself. */
export interface PhoneActions {
  /** The phone put its call on hold, or took it back. */
  hold?: ((on: boolean) => Promise<unknown>) | undefined;
  /** Pass the call on to this user or number. Answers why not, or null. */
  transfer?: ((to: string) => Promise<string | null>) | undefined;
}

export abstract class Call {
  state: 'early' | 'up' | 'over' = 'early';
  leg: Leg | null = null;
  /** Whose call it is; null for a carrier's. */
  readonly phone: Registration | null = null;
  /** Sound by RTP, or by WebRTC. */
  media: MediaSession | null = null;
  webRtc: Peer | null = null;
  actions: PhoneActions = {};
  /** Our offer went out with this "200"; its answer comes with the ACK. */
  #offered: ServerTransaction | null = null;
  /** INVITEs of the other side that we accepted and it has not acknowledged: by number. */
  readonly #accepted = new Map<number, ServerTransaction>();
  #held = false;
  /** A transfer is under way: the phone hears how it went before its own call ends. */
  #passing = false;
  /** To be hung up as soon as it may be. */
  #leaves = false;
  #wish: Promise<unknown> = Promise.resolve();

  constructor(
    protected readonly services: CallServices,
    readonly dialog: Dialog,
  ) {
    services.calls.set(callKey(dialog.callId, dialog.localTag), this);
  }

  get peer(): Peer | null {
    return this.media?.rtp ?? this.webRtc;
  }
  isOver(): boolean {
    return this.state === 'over';
  }

  /** The client's side of this call is over before it was up. */
  protected abstract onAbandoned(): void;
  /** Say to the client that its call, which is not up yet, will not be. `because`: why the exchange ended it. */
  protected abstract reject(because: string): void;

  // ---- sound ----

  readonly #listeners = {
    packet: (packet: Parameters<Leg['receiveAudio']>[0]): void =>
      this.leg?.receiveAudio(packet, performance.now()),
    key: (digit: string): void => this.#pressed(digit),
    closed: (): void => {
      if (this.leg && this.leg.peer === this.peer && !this.isOver())
        this.services.exchange.end(this.leg, 'hangup', 'connectionLost');
    },
  };
  async openRtp(): Promise<MediaSession> {
    const { host, bind, udpPorts } = this.services;
    const rtp = await openRtpPeer(bind, this.#listeners, udpPorts);
    this.media = new MediaSession(host, rtp);
    return this.media;
  }
  async openWebRtc(offer: string): Promise<Peer> {
    this.webRtc = await answerOffer(offer, this.#listeners, this.services.udpPorts);
    return this.webRtc;
  }
  #pressed(digit: string): void {
    if (this.leg) this.services.exchange.receiveDigits(this.leg, digit);
  }

  // ---- what is asked within the call ----

  /** A request within the dialog. */
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
        return this.#changed(transaction);
      case 'INFO':
        return this.#info(transaction);
      case 'REFER':
        return this.#refer(transaction);
      case 'OPTIONS':
        return transaction.respond(200, { headers: { allow: allowedMethods } });
      default:
        return transaction.respond(405, { headers: { allow: allowedMethods } });
    }
  }

  ack(request: Request): void {
    const transaction = this.#accepted.get(request.cseq.number);
    if (!transaction) return;
    this.#accepted.delete(request.cseq.number);
    transaction.acknowledge();
    if (this.#offered === transaction) {
      this.#offered = null;
      if (this.media && !this.media.accept(request.body)) this.#leaves = true;
    }
    if (this.#leaves) this.hangUp();
  }

  /** "200" to an INVITE, said until it is acknowledged. Without an offer of theirs, `body` is ours. */
  protected accept(transaction: ServerTransaction, body: string): void {
    const { number } = transaction.request.cseq;
    this.#accepted.set(number, transaction);
    if (transaction.request.body === '') this.#offered = transaction;
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

  /** The sound moves, rests or goes on. */
  #changed(transaction: ServerTransaction): void {
    const { media } = this;
    const { body } = transaction.request;
    if (this.state !== 'up' || this.#offered) return transaction.respond(491);
    if (!media) return transaction.respond(488);
    const answer = body === '' ? media.offer() : media.answer(body);
    if (answer === null) return transaction.respond(488);
    this.accept(transaction, answer);
    if (body !== '') this.#rests(media.held);
  }

  /** Hold and its end are told in the order they were asked for. */
  #rests(on: boolean): void {
    if (this.#held === on) return;
    this.#held = on;
    const { hold } = this.actions;
    if (hold)
      this.#wish = this.#wish
        .then(() => hold(on))
        .catch((trouble: unknown) =>
          this.services.log('A SIP phone’s hold was not passed on', { because: String(trouble) }),
        );
  }

  /** Keys of phones that send them as messages. */
  #info(transaction: ServerTransaction): void {
    const { headers, body } = transaction.request;
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const signal =
      type === 'application/dtmf-relay'
        ? /^\s*Signal\s*=\s*([0-9A-D*#]{1,2})\s*$/im.exec(body)?.[1]
        : type === 'application/dtmf'
          ? /^\s*([0-9A-D*#]{1,2})\s*$/i.exec(body)?.[1]
          : undefined;
    if (type !== '' && !type.startsWith('application/dtmf'))
      return transaction.respond(415, {
        headers: { accept: 'application/dtmf-relay, application/dtmf' },
      });
    const key = signal === undefined ? '' : (dtmfEventKeys[Number(signal)] ?? signal.toUpperCase());
    if (type !== '' && key.length !== 1) return transaction.respond(400);
    transaction.respond(200);
    if (key !== '' && this.state === 'up') this.#pressed(key);
  }

  /** A desk phone's transfer key: the product rings whom it names, and the phone is told what became of it. */
  #refer(transaction: ServerTransaction): void {
    const { transfer } = this.actions;
    const { request } = transaction;
    const named = readAddress(request.headers.get('refer-to') ?? '')?.uri ?? '';
    const uri = readUri(named.replace(/^tel:([^;?]*)/i, 'sip:$1@tel'));
    if (request.headers.lines('refer-to').length !== 1 || !uri) return transaction.respond(400);
    // With Replaces it would join two of the phone's calls; those are passed on on the screen.
    if (/(^|&)replaces=/i.test(uri.headers)) return transaction.respond(501);
    if (this.state !== 'up' || !transfer) return transaction.respond(603);
    transaction.respond(202, { headers: { contact: this.dialog.contact } });
    const event = `refer;id=${request.cseq.number}`;
    const notify = (state: string, line: string): void => {
      const { flow } = this.dialog;
      const message = this.dialog.request(
        'NOTIFY',
        { event, 'subscription-state': state, 'content-type': 'message/sipfrag;version=2.0' },
        `SIP/2.0 ${line}\r\n`,
      );
      this.services.transactions.sendRequest(flow, message, () => undefined);
    };
    notify('active;expires=60', '100 Trying');
    this.#passing = true;
    void transfer(uri.user)
      .catch(() => 'The call could not be transferred.')
      .then((why) => {
        notify('terminated;reason=noresource', why === null ? '200 OK' : '603 Decline');
        this.#passing = false;
        if (this.#leaves) this.hangUp();
      });
  }

  // ---- the end ----

  /** The exchange's side is over: the client is told in the way that fits. */
  onLegEnded(because: string): void {
    if (this.state === 'up') this.hangUp();
    else if (this.state === 'early') {
      this.reject(because);
      this.end();
    }
  }

  /** BYE; after the ACK of our "200" (§15), unless it is `now` or never. */
  hangUp(now = false): void {
    if (this.state !== 'up') return;
    this.#leaves = true;
    if (!now && (this.#passing || this.#accepted.size > 0)) return;
    this.services.transactions.sendRequest(
      this.dialog.flow,
      this.dialog.request('BYE'),
      () => undefined,
    );
    this.end();
  }

  /** Nothing of it remains. */
  end(cause: 'hangup' | 'cancelled' = 'hangup'): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.services.calls.delete(callKey(this.dialog.callId, this.dialog.localTag));
    for (const transaction of this.#accepted.values()) transaction.acknowledge();
    const { leg, peer } = this;
    if (leg) this.endLeg(leg, cause);
    peer?.close();
  }

  /** What becomes of the exchange's leg when the client is gone. */
  protected endLeg(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    if (leg.state !== 'ended' && leg.peer === this.peer && this.peer)
      this.services.exchange.end(leg, cause, cause);
  }
}

/** Keys by the numbers of their events (RFC 4733), as some phones write them. */
const dtmfEventKeys: Readonly<Record<number, string>> = {
  10: '*',
  11: '#',
  12: 'A',
  13: 'B',
  14: 'C',
  15: 'D',
};
