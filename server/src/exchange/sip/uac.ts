/** A phone is rung: our INVITE, and what comes of it. */
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
  /** What our ACK said; a phone that repeats its "200" is told the same again. null = not said yet. */
  #acknowledged: string | null = null;

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
    // A browser is asked for its offer, because ours are made to answer; a desk phone is offered both dialects.
    const offer = isWeb(phone.flow) ? '' : (await this.openRtp()).offer();
    if (this.isOver() || leg.state !== 'ringing') return this.end();
    this.#invite = services.transactions.sendRequest(
      phone.flow,
      dialog.request('INVITE', {}, offer),
      (response) => {
        void this.#heard(response).catch((trouble: unknown) => {
          services.log('A SIP phone’s answer failed', { because: String(trouble) });
          if (leg.state === 'ringing') leg.claimed = false;
          this.hangUp(true);
        });
      },
    );
  }

  async #heard(response: Response | null): Promise<void> {
    const status = response?.status ?? 408;
    if (status < 200 || (this.#answered && status >= 300)) return;
    if (response && status < 300) {
      if (this.#answered) {
        if (this.#acknowledged !== null) this.#ack(this.#acknowledged);
        return;
      }
      this.#answered = true;
      this.dialog.confirm(response);
      return this.#taken(response.body);
    }
    this.#answered = true;
    this.#declined(status);
  }

  async #taken(body: string): Promise<void> {
    const { leg, services } = this;
    // Too late: what it took is over. It is told so in the way that ends a call.
    if (this.isOver() || leg.state !== 'ringing' || leg.claimed) {
      this.#ack('');
      this.state = 'up';
      return this.hangUp(true);
    }
    leg.claimed = true;
    const answer = this.media
      ? this.media.accept(body)
        ? ''
        : null
      : await this.openWebRtc(body).then(
          ({ sdp }) => sdp,
          () => null,
        );
    leg.claimed = false;
    this.#ack(answer ?? '');
    if (!this.isOver()) this.state = 'up';
    if (answer === null) {
      this.hangUp(true);
      return this.#leave(488);
    }
    if (this.isOver() || leg.state !== 'ringing') return this.hangUp(true);
    leg.peer = this.peer;
    services.exchange.answer(leg, this.device);
  }

  #ack(body: string): void {
    this.#acknowledged = body;
    this.services.transactions.sendStateless(this.dialog.flow, this.dialog.ack(1, body));
  }

  #declined(status: number): void {
    if (this.state !== 'early') return;
    this.end();
    this.#leave(status);
  }
  /** One phone of several that declines silences only itself; the last one ends the leg, so that the call moves on. */
  #leave(status: number): void {
    const { leg, services } = this;
    this.device.legs.delete(leg);
    if (
      leg.state !== 'ringing' ||
      services.exchange.devices.forFarEnd(leg.farEnd).some((other) => other.legs.has(leg))
    )
      return;
    services.exchange.end(
      leg,
      causeOf(status),
      status === 603 || status === 480 || status === 600 ? 'declined' : 'refused',
    );
  }

  protected override reject(because: string): void {
    const elsewhere = because === 'answeredElsewhere';
    // Phones do not count what was answered elsewhere as missed (RFC 3326).
    this.#invite?.cancel(
      elsewhere ? { reason: 'SIP;cause=200;text="Call completed elsewhere"' } : {},
    );
  }
  protected override onAbandoned(): void {
    this.#declined(603);
  }
}

/** What a phone's refusal means for its leg. */
function causeOf(status: number): LegEndCause {
  if (status === 486 || status === 600) return 'busy';
  if (status === 603 || status === 480 || status === 403) return 'declined';
  if (status === 408) return 'noAnswer';
  return 'failed';
}
