/** Calls that phones dial: the INVITE, and the call that the product places for it. */
import type { Device } from '../devices.ts';
import type { Leg } from '../leg.ts';
import { Call, type CallServices } from './call.ts';
import { Dialog } from './dialog.ts';
import { dialedKeys, dialedNumber, plainReason } from './dialed-number.ts';
import { readMedia } from './sdp.ts';
import type { Registrar, Registration } from './registrar.ts';
import { isWeb, type Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Why the product does not place a call, as a SIP status and reason phrase. */
interface PlaceRejection {
  status: number;
  reason: string;
}
/**
 * Places a call, for which the product rings `device`. Resolves to the leg that rings it, or to why
 * there is none.
 */
export type PlaceCall = (who: {
  companyId: number;
  userId: number;
  device: string;
  to: string;
  /** Where the phone called; null: the only exchange. */
  exchange: string | null;
}) => Promise<{ leg: string } | PlaceRejection>;

/** How long the product may take to place a call. Milliseconds. */
const placeTimeoutMs = 20_000;
/** Cancelled legs remembered, in case they ring late. */
const maxCancelled = 1000;

/** A call that a phone dialed. */
class UasCall extends Call {
  constructor(
    services: CallServices,
    dialog: Dialog,
    override readonly phone: Registration,
    readonly invite: ServerTransaction,
  ) {
    super(services, dialog);
  }

  respondAndEnd(status: number, reason?: string): void {
    if (this.state !== 'early') return;
    this.invite.respond(status, {}, reason);
    this.end('cancelled');
  }

  protected override onAbandoned(): void {
    this.invite.respond(487);
  }

  protected override reject(because: string): void {
    this.invite.respond(statusOf[because] ?? 480);
  }

  /** Unlike other calls, this one has a leg before it has audio. */
  protected override endLeg(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    if (leg.state !== 'ended') this.services.exchange.end(leg, cause, cause);
  }

  /**
   * The product rings the phone for the call it placed. For the product the phone answers at once;
   * its user hears ringing until the other side has answered.
   */
  async attachLeg(leg: Leg, device: Device): Promise<void> {
    const { body } = this.invite.request;
    this.leg = leg;
    leg.claimed = true;
    // WebRTC is set up with the 200, because a browser waits only a few seconds for our side of it.
    const isBrowser = isWeb(this.phone.flow);
    const answer = isBrowser ? '' : await this.#negotiate(body).catch(() => null);
    leg.claimed = false;
    if (this.isOver() || leg.state !== 'ringing') return this.respondAndEnd(480);
    if (answer === null) return this.respondAndEnd(488);
    leg.onAudio = () => {
      if (!isBrowser) return this.#onAnswered(leg, answer);
      void this.audio.openWebRtc(body).then(
        ({ sdp }) => this.#onAnswered(leg, sdp),
        () => this.respondAndEnd(488),
      );
    };
    this.invite.respond(180, { headers: { contact: this.dialog.contact } });
    this.services.exchange.answer(leg, device);
  }

  /** Our answer, or our offer when the INVITE had none; null when no audio can be agreed. */
  async #negotiate(offer: string): Promise<string | null> {
    const media = await this.audio.openRtp();
    return offer === '' ? media.offer() : media.answer(offer);
  }

  /** The other side answered: sends the 200. */
  #onAnswered(leg: Leg, answer: string): void {
    if (this.state !== 'early') return this.audio.peer?.close();
    this.state = 'up';
    leg.peer = this.audio.peer;
    this.accept(this.invite, answer);
  }
}

/** The status that refuses a call, by the reason for which its leg ended before it was answered. */
const statusOf: Readonly<Record<string, number>> = {
  busy: 486,
  declined: 603,
  noAnswer: 480,
  timeout: 480,
  failed: 500,
  rejected: 404,
  notInService: 404,
  cancelled: 487,
  unreachable: 480,
  emergency: 403,
};

export class UasCalls {
  /** Phones with a call that is being placed: one at a time. */
  readonly #placing = new Set<string>();
  /** Calls whose leg is known but has not rung yet. */
  readonly #byLeg = new Map<string, UasCall>();
  /** Legs that ring a dialing phone before the product has told which leg is its call's. */
  readonly #early = new Map<string, { leg: Leg; device: Device }>();
  /** Legs of calls that ended before they rang. */
  readonly #cancelled = new Set<string>();

  constructor(
    private readonly services: CallServices,
    private readonly registrar: Registrar,
    private readonly placeCall: PlaceCall,
    /** Our Contact for this phone, `<sip:…>`. */
    private readonly contactFor: (phone: Registration) => string,
    private readonly attachActions: (call: Call, phone: Registration) => void,
  ) {}

  /** An INVITE outside of a dialog. */
  async onInvite(transaction: ServerTransaction): Promise<void> {
    const { request, flow } = transaction;
    let cancelled = false;
    transaction.onCancel = () => {
      cancelled = true;
      transaction.respond(487);
    };
    const seen = await this.registrar.authenticate(transaction);
    if (!seen || cancelled) return;
    transaction.respond(100);
    const phone = this.#phoneOf(seen.user, flow);
    const [companyId] = seen.person.companies;
    if (!phone || companyId === undefined)
      return transaction.respond(403, {}, phone ? undefined : 'Register First');
    if (request.body !== '' && !isWeb(flow) && !readMedia(request.body))
      return transaction.respond(488);
    const to = dialedNumber(request.uri);
    if (to === null) return transaction.respond(404);
    if (this.#placing.has(phone.device)) return transaction.respond(486);
    const { userId } = seen.person;
    const keys = dialedKeys(request.uri);
    await this.#place(transaction, phone, {
      companyId,
      userId,
      device: phone.device,
      to: keys ? `${to},${keys}` : to,
      exchange: this.services.exchange.id(),
    });
  }

  /** The registered phone that sends over this flow, else one at the same address. */
  #phoneOf(user: string, flow: Flow): Registration | undefined {
    const phones = this.registrar.all().filter((phone) => phone.user === user);
    return (
      phones.find((phone) => phone.flow.key === flow.key) ??
      phones.find((phone) => phone.flow.address === flow.address)
    );
  }

  async #place(
    transaction: ServerTransaction,
    phone: Registration,
    who: Parameters<PlaceCall>[0],
  ): Promise<void> {
    const { request, flow, tag } = transaction;
    const dialog = Dialog.fromInvite(request, flow, tag, this.contactFor(phone));
    const call = new UasCall(this.services, dialog, phone, transaction);
    this.attachActions(call, phone);
    transaction.onCancel = () => call.respondAndEnd(487);
    this.#placing.add(phone.device);
    const cancelTimeout = this.services.clock.after(
      placeTimeoutMs,
      () => call.leg ?? call.respondAndEnd(504),
    );
    const placed = await this.placeCall(who).catch((): PlaceRejection => ({
      status: 500,
      reason: 'The call couldn’t be placed.',
    }));
    this.#placing.delete(phone.device);
    if ('status' in placed) {
      cancelTimeout();
      this.#endEarlyLegs(phone.device);
      const reason = plainReason(placed.reason);
      return call.respondAndEnd(placed.status, reason);
    }
    this.#onPlaced(call, placed.leg, phone.device);
  }

  #onPlaced(call: UasCall, legId: string, device: string): void {
    const ringing = this.#early.get(legId);
    this.#early.delete(legId);
    this.#endEarlyLegs(device);
    if (call.isOver()) this.#cancelLeg(legId, ringing?.leg);
    else if (ringing) void call.attachLeg(ringing.leg, ringing.device);
    else this.#byLeg.set(legId, call);
  }

  /** The exchange rings one phone in particular: only calls that the phone dialed do that. */
  onLegRinging(leg: Leg, device: Device, name: string): void {
    const call = this.#byLeg.get(leg.id);
    this.#byLeg.delete(leg.id);
    if (call && !call.isOver()) void call.attachLeg(leg, device);
    else if (!call && this.#placing.has(name) && !this.#cancelled.has(leg.id))
      this.#early.set(leg.id, { leg, device });
    else this.#cancelLeg(leg.id, leg);
  }

  /** Ends the legs that rang the phone while its call was being placed but do not belong to it. */
  #endEarlyLegs(name: string): void {
    for (const [id, { leg, device }] of this.#early) {
      if (device.identity.device !== name) continue;
      this.#early.delete(id);
      this.#cancelLeg(id, leg);
    }
  }

  /** Ends the leg of a call whose phone has hung up, now or as soon as it rings. */
  #cancelLeg(id: string, leg: Leg | undefined): void {
    if (leg) return this.services.exchange.end(leg, 'cancelled', 'callerLeft');
    this.#cancelled.add(id);
    if (this.#cancelled.size > maxCancelled)
      for (const oldest of this.#cancelled) if (this.#cancelled.delete(oldest)) break;
  }
}
