/** A phone dials: its INVITE, the call the product places for it, and what the phone is told of how that goes. */
import type { Device } from '../devices.ts';
import type { Leg } from '../leg.ts';
import { Call, type CallServices } from './call.ts';
import { Dialog } from './dialog.ts';
import { readUri } from './grammar.ts';
import { readMedia } from './sdp.ts';
import type { Registrar, Registration } from './registrar.ts';
import { isWeb } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Why the product does not place a call, as the phone is told. */
export interface PlaceRejection {
  status: number;
  reason: string;
}
/** The product places a call and rings `device` for it. Answers the leg by which it does, or why it does not. */
export type PlaceCall = (who: {
  companyId: number;
  userId: number;
  device: string;
  to: string;
}) => Promise<{ leg: string } | PlaceRejection>;

/** A phone waits for the product to place its call. Milliseconds. */
const placeTimeoutMs = 20_000;
/** Legs remembered that nobody wants any more, should they ring late. */
const maxUnwanted = 1000;

/** A call that a phone began. */
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
  /** Before the other side answered the phone has no sound, but its leg is there. */
  protected override endLeg(leg: Leg, cause: 'hangup' | 'cancelled'): void {
    if (leg.state !== 'ended') this.services.exchange.end(leg, cause, cause);
  }

  /** The product rings the phone for the call it placed. For the product it has picked up; its user hears ringing until the other side does. */
  async attachLeg(leg: Leg, device: Device): Promise<void> {
    const { body } = this.invite.request;
    this.leg = leg;
    leg.claimed = true;
    // WebRTC is set up when the phone is told of it, because it waits for the other side a few seconds only.
    const web = isWeb(this.phone.flow);
    const answer = web ? '' : await this.#negotiate(body).catch(() => null);
    leg.claimed = false;
    if (this.isOver() || leg.state !== 'ringing') return this.respondAndEnd(480);
    if (answer === null) return this.respondAndEnd(488);
    leg.onAudio = () =>
      void (web
        ? this.openWebRtc(body).then(
            ({ sdp }) => this.#up(leg, sdp),
            () => this.respondAndEnd(488),
          )
        : this.#up(leg, answer));
    this.invite.respond(180, { headers: { contact: this.dialog.contact } });
    this.services.exchange.answer(leg, device);
  }
  async #negotiate(offer: string): Promise<string | null> {
    const media = await this.openRtp();
    return offer === '' ? media.offer() : media.answer(offer);
  }
  #up(leg: Leg, answer: string): void {
    if (this.state !== 'early') return this.peer?.close();
    this.state = 'up';
    leg.peer = this.peer;
    this.accept(this.invite, answer);
  }
}

/** What the phone is told when its call ends before anybody answered, by what the exchange or the product says of it. */
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
  /** Phones whose call is being placed: one at a time. */
  readonly #placing = new Set<string>();
  readonly #byLeg = new Map<string, UasCall>();
  /** Legs that ring a phone for a call of its own, before we know which. */
  readonly #early = new Map<string, { leg: Leg; device: Device }>();
  readonly #unwanted = new Set<string>();

  constructor(
    private readonly services: CallServices,
    private readonly registrar: Registrar,
    private readonly placeCall: PlaceCall,
    /** `<sip:…>`: where a phone of this flow reaches us. */
    private readonly contactFor: (phone: Registration) => string,
    private readonly attachActions: (call: Call, phone: Registration) => void,
  ) {}

  /** An INVITE that begins a call. */
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
    const phones = this.registrar.all().filter(({ user }) => user === seen.user);
    const phone =
      phones.find((one) => one.flow.key === flow.key) ??
      phones.find((one) => one.flow.address === flow.address);
    const [companyId] = seen.person.companies;
    if (!phone || companyId === undefined)
      return transaction.respond(403, {}, phone ? undefined : 'Register First');
    if (request.body !== '' && !isWeb(flow) && !readMedia(request.body))
      return transaction.respond(488);
    const to = dialledNumber(request.uri);
    if (to === null) return transaction.respond(404);
    if (this.#placing.has(phone.device)) return transaction.respond(486);

    const dialog = Dialog.fromInvite(request, flow, transaction.tag, this.contactFor(phone));
    const call = new UasCall(this.services, dialog, phone, transaction);
    this.attachActions(call, phone);
    transaction.onCancel = () => call.respondAndEnd(487);
    this.#placing.add(phone.device);
    const late = this.services.clock.after(
      placeTimeoutMs,
      () => call.leg ?? call.respondAndEnd(504),
    );
    const placed = await this.placeCall({
      companyId,
      userId: seen.person.userId,
      device: phone.device,
      to,
    }).catch((): PlaceRejection => ({ status: 500, reason: 'The call could not be placed.' }));
    this.#placing.delete(phone.device);
    if ('status' in placed) {
      late();
      this.#forgetEarly(phone.device);
      return call.respondAndEnd(
        placed.status,
        placed.reason.replace(/[^\x20-\x7e]/g, '').slice(0, 100),
      );
    }
    const rings = this.#early.get(placed.leg);
    this.#early.delete(placed.leg);
    this.#forgetEarly(phone.device);
    if (call.isOver()) this.#unwant(placed.leg, rings?.leg);
    else if (rings) void call.attachLeg(rings.leg, rings.device);
    else this.#byLeg.set(placed.leg, call);
  }

  /** The exchange rings a phone alone: that is for a call it dialled, and for no other. */
  onLegRinging(leg: Leg, device: Device, name: string): void {
    const call = this.#byLeg.get(leg.id);
    this.#byLeg.delete(leg.id);
    if (call && !call.isOver()) void call.attachLeg(leg, device);
    else if (!call && this.#placing.has(name) && !this.#unwanted.has(leg.id))
      this.#early.set(leg.id, { leg, device });
    else this.#unwant(leg.id, leg);
  }

  /** Legs that rang it while its call was placed, and are not that call's. */
  #forgetEarly(name: string): void {
    for (const [id, { leg, device }] of this.#early) {
      if (device.identity.device !== name) continue;
      this.#early.delete(id);
      this.#unwant(id, leg);
    }
  }

  /** Its phone has hung up meanwhile: it rings nobody. */
  #unwant(id: string, leg: Leg | undefined): void {
    if (leg) return this.services.exchange.end(leg, 'cancelled', 'callerLeft');
    this.#unwanted.add(id);
    if (this.#unwanted.size > maxUnwanted)
      for (const oldest of this.#unwanted) if (this.#unwanted.delete(oldest)) break;
  }
}

/** The number a phone dials, without the marks people write into it; null when it is none. */
function dialledNumber(uri: string): string | null {
  const user = (readUri(uri)?.user ?? '').replace(/[\s().-]/g, '');
  return /^\+?[0-9*#]{1,32}$/.test(user) ? user : null;
}
