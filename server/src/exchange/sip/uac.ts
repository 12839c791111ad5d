/** A call to a registered phone: our INVITE and its responses. */
import type { LegEndCause } from '../../gateways/voice.ts';
import type { Device } from '../devices.ts';
import type { Leg } from '../leg.ts';
import { Call, type CallServices } from './call.ts';
import type { Dialog } from './dialog.ts';
import type { Response } from './message.ts';
import type { Registration } from './registrar.ts';
import { isWeb } from './transaction-types.ts';
import type { ClientTransaction } from './client-transaction.ts';

export class UacCall extends Call {
  #invite: ClientTransaction | null = null;
  #answered = false;
  /** The body of our ACK, sent again when the phone repeats its 200. Null before the ACK. */
  #ackBody: string | null = null;

  constructor(
    services: CallServices,
    dialog: Dialog,
    override readonly phone: Registration,
    override leg: Leg,
    private readonly device: Device,
  ) {
    super(services, dialog);
  }

  async ring(): Promise<void> {
    const { dialog, leg, phone, services } = this;
    // A browser is asked for an offer, because our WebRTC side only answers; a desk phone gets our
    // offer.
    const offer = isWeb(phone.flow) ? '' : (await this.audio.openRtp()).offer();
    if (this.isOver() || leg.state !== 'ringing') return this.end();
    this.#invite = services.transactions.sendRequest(
      phone.flow,
      dialog.request('INVITE', {}, offer),
      (response) => {
        void this.#onResponse(response).catch((error: unknown) => {
          services.log('A SIP phone’s answer failed', { because: String(error) });
          if (leg.state === 'ringing') leg.claimed = false;
          this.hangUp(true);
        });
      },
    );
  }

  async #onResponse(response: Response | null): Promise<void> {
    const status = response?.status ?? 408;
    if (status < 200 || (this.#answered && status >= 300)) return;
    if (response && status < 300) {
      if (this.#answered) {
        if (this.#ackBody !== null) this.#ack(this.#ackBody);
        return;
      }
      this.#answered = true;
      this.dialog.confirm(response);
      return this.#onAnswered(response.body);
    }
    this.#answered = true;
    this.#onDeclined(status);
  }

  async #onAnswered(body: string): Promise<void> {
    const { leg, services } = this;
    // Too late: the call was cancelled or answered elsewhere. An accepted INVITE can only be ended
    // by BYE.
    if (this.isOver() || leg.state !== 'ringing' || leg.claimed) {
      this.#ack('');
      this.state = 'up';
      return this.hangUp(true);
    }
    leg.claimed = true;
    const answer = await this.#negotiate(body);
    leg.claimed = false;
    this.#ack(answer ?? '');
    if (!this.isOver()) this.state = 'up';
    if (answer === null) {
      this.hangUp(true);
      return this.#removeDevice(488);
    }
    if (this.isOver() || leg.state !== 'ringing') return this.hangUp(true);
    leg.peer = this.audio.peer;
    services.exchange.answer(leg, this.device);
  }

  /**
   * The body of our ACK: our answer to a browser's offer, empty for a desk phone. Null: no audio
   * agreed.
   */
  async #negotiate(body: string): Promise<string | null> {
    if (this.audio.rtp) return this.audio.rtp.accept(body) ? '' : null;
    try {
      return (await this.audio.openWebRtc(body)).sdp;
    } catch {
      return null;
    }
  }

  #ack(body: string): void {
    this.#ackBody = body;
    this.services.transactions.sendStateless(this.dialog.flow, this.dialog.ack(1, body));
  }

  #onDeclined(status: number): void {
    if (this.state !== 'early') return;
    this.end();
    this.#removeDevice(status);
  }

  /**
   * A phone that declines only stops ringing itself. The last one ends the leg, so that the call
   * moves on.
   */
  #removeDevice(status: number): void {
    const { leg, services } = this;
    this.device.legs.delete(leg);
    const devices = services.exchange.devices.forFarEnd(leg.farEnd);
    const stillRings = devices.some((other) => other.legs.has(leg));
    if (leg.state !== 'ringing' || stillRings) return;
    const declined = status === 603 || status === 480 || status === 600;
    services.exchange.end(leg, causeOf(status), declined ? 'declined' : 'refused');
  }

  protected override reject(because: string): void {
    const elsewhere = because === 'answeredElsewhere';
    // Phones do not count what was answered elsewhere as missed (RFC 3326).
    this.#invite?.cancel(
      elsewhere ? { reason: 'SIP;cause=200;text="Call completed elsewhere"' } : {},
    );
  }
  protected override onAbandoned(): void {
    this.#onDeclined(603);
  }
}

/** Why the leg ends when the last phone refuses with this status. */
function causeOf(status: number): LegEndCause {
  if (status === 486 || status === 600) return 'busy';
  if (status === 603 || status === 480 || status === 403) return 'declined';
  if (status === 408) return 'noAnswer';
  return 'failed';
}
