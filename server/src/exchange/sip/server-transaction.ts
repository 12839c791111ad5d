import { templateOf, type Request } from './message.ts';
import {
  abandonedMs,
  isReliable,
  reasonPhrase,
  t1,
  t2,
  t4,
  timeoutMs,
  type Clock,
  type Flow,
  type ResponseParts,
} from './transaction-types.ts';
import { writeResponse } from './write-message.ts';

/** Where admitted server transactions are kept. */
export interface ServerTransactionStore {
  /** False when there is no room. */
  add(transaction: ServerTransaction): boolean;
  has(transaction: ServerTransaction): boolean;
  remove(transaction: ServerTransaction): void;
  tagFor(key: string): string;
}

/** A request that came in, and our responses to it (RFC 3261 §17.2, RFC 6026). */
export class ServerTransaction {
  state: 'trying' | 'proceeding' | 'completed' | 'accepted' | 'confirmed' | 'over' = 'trying';
  /** Our tag in the dialog that this request may begin; the same for every retransmission. */
  readonly tag: string;
  /** The sender cancels the request. Only for an INVITE, and only before a final response. */
  onCancel: (() => void) | null = null;
  /** Our 200 to an INVITE was never acknowledged. */
  onUnacknowledged: (() => void) | null = null;
  #lastResponse: Buffer | null = null;
  #stopRetransmitting: () => void = () => undefined;
  #cancelRemoval: () => void = () => undefined;

  constructor(
    private readonly store: ServerTransactionStore,
    readonly key: string,
    readonly request: Request,
    readonly flow: Flow,
    readonly clock: Clock,
  ) {
    this.tag = store.tagFor(key);
  }

  get isInvite(): boolean {
    return this.request.method === 'INVITE';
  }

  /**
   * Keeps the transaction, so that retransmissions get the same response. False when there is no
   * room: the request was then answered with 503.
   */
  admit(): boolean {
    if (this.store.add(this)) {
      this.#removeAfter(abandonedMs);
      return true;
    }
    this.respond(503, { headers: { 'retry-after': '10' } });
    return false;
  }

  /** Does nothing after a final response. */
  respond(status: number, parts: ResponseParts = {}, reason = reasonPhrase(status)): void {
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    const bytes = writeResponse(templateOf(this.request), this.flow, status, reason, {
      tag: this.tag,
      ...parts,
    });
    this.#lastResponse = bytes;
    this.#send(bytes);
    if (status < 200) this.state = 'proceeding';
    else this.#complete(status);
  }

  #complete(status: number): void {
    const success = status < 300;
    this.state = this.isInvite && success ? 'accepted' : 'completed';
    if (!this.store.has(this)) {
      this.state = 'over';
    } else if (!this.isInvite) {
      this.#removeAfter(isReliable(this.flow) ? 0 : timeoutMs);
    } else {
      // A 200 is retransmitted on every transport: it may get lost behind a proxy (§13.3.1.4).
      if (success || !isReliable(this.flow)) this.#retransmitAfter(t1);
      this.#removeAfter(timeoutMs, success ? () => this.onUnacknowledged?.() : undefined);
    }
  }

  #retransmitAfter(afterMs: number): void {
    this.#stopRetransmitting = this.clock.after(afterMs, () => {
      if (this.#lastResponse) this.#send(this.#lastResponse);
      this.#retransmitAfter(Math.min(afterMs * 2, t2));
    });
  }

  /** The request was received again: repeats the last response. */
  retransmit(): void {
    if (this.#lastResponse && this.state !== 'confirmed') this.#send(this.#lastResponse);
  }

  /** The ACK of our final response to an INVITE arrived. */
  acknowledge(): void {
    if (this.state !== 'completed' && this.state !== 'accepted') return;
    this.#stopRetransmitting();
    const accepted = this.state === 'accepted';
    this.state = 'confirmed';
    // Late retransmissions of the INVITE still belong to this transaction.
    this.#removeAfter(accepted ? timeoutMs : isReliable(this.flow) ? 0 : t4);
  }

  /** A CANCEL of this request arrived. */
  cancel(): void {
    if (this.state === 'trying' || this.state === 'proceeding') this.onCancel?.();
  }

  #send(bytes: Buffer): void {
    const { via } = this.request;
    // §18.2.2: to the port that Via names, unless the sender asked for the one it sent from
    // (rport).
    this.flow.send(bytes, via.params.has('rport') ? this.flow.port : (via.port ?? 5060));
  }

  #removeAfter(ms: number, onRemoved?: () => void): void {
    this.#cancelRemoval();
    this.#cancelRemoval = this.clock.after(ms, () => {
      this.end();
      onRemoved?.();
    });
  }

  /** Stops all timers and removes the transaction. */
  end(): void {
    this.state = 'over';
    this.#stopRetransmitting();
    this.#cancelRemoval();
    this.store.remove(this);
  }
}
