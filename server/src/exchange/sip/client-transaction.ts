import { Headers, type Response } from './message.ts';
import {
  abandonedMs,
  isReliable,
  t1,
  t2,
  t4,
  timeoutMs,
  type Clock,
  type Flow,
  type OutgoingRequest,
} from './transaction-types.ts';

/** Where client transactions are kept, and what writes and sends their requests. */
export interface ClientTransactionStore {
  serialize(flow: Flow, branch: string, request: OutgoingRequest): Buffer;
  sendRequest(
    flow: Flow,
    request: OutgoingRequest,
    onResponse: (response: Response | null) => void,
    branch: string,
  ): ClientTransaction;
  isOpen(key: string): boolean;
  removeByKey(key: string): void;
}

/** A request of ours, retransmitted until it is answered (RFC 3261 §17.1, RFC 6026). */
export class ClientTransaction {
  readonly key: string;
  #state: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'over' = 'calling';
  /** Headers of the CANCEL to send; null while none is wanted. */
  #cancelHeaders: Readonly<Record<string, string>> | null = null;
  #ack: Buffer | null = null;
  #stopRetransmitting: () => void = () => undefined;
  #cancelTimeout: () => void = () => undefined;
  readonly #bytes: Buffer;

  constructor(
    private readonly store: ClientTransactionStore,
    private readonly flow: Flow,
    private readonly request: OutgoingRequest,
    private readonly branch: string,
    private readonly clock: Clock,
    /**
     * Called once per response, provisional ones included, and for every retransmission of a 200
     * to an INVITE. Null: the request timed out.
     */
    private readonly onResponse: (response: Response | null) => void,
  ) {
    this.key = `${branch} ${request.method}`;
    this.#bytes = store.serialize(flow, branch, request);
    flow.send(this.#bytes);
    if (!isReliable(flow)) this.#retransmitAfter(t1);
    this.#endAfter(timeoutMs, () => this.onResponse(null));
  }

  get #isInvite(): boolean {
    return this.request.method === 'INVITE';
  }

  #retransmitAfter(afterMs: number): void {
    this.#stopRetransmitting();
    this.#stopRetransmitting = this.clock.after(afterMs, () => {
      this.flow.send(this.#bytes);
      this.#retransmitAfter(this.#isInvite ? afterMs * 2 : Math.min(afterMs * 2, t2));
    });
  }

  receive(response: Response): void {
    const { status } = response;
    if (this.#state === 'completed') {
      if (this.#ack && status >= 300) this.flow.send(this.#ack);
    } else if (this.#state === 'accepted') {
      if (status >= 200 && status < 300) this.onResponse(response);
    } else if (status < 200) this.#receiveProvisional(response);
    else this.#receiveFinal(response);
  }

  #receiveProvisional(response: Response): void {
    if (this.#state === 'calling' && this.#isInvite) {
      this.#stopRetransmitting();
      this.#endAfter(abandonedMs, () => this.onResponse(null));
    } else if (!this.#isInvite && !isReliable(this.flow)) this.#retransmitAfter(t2);
    this.#state = 'proceeding';
    if (this.#cancelHeaders) this.#sendCancel(this.#cancelHeaders);
    this.onResponse(response);
  }

  #receiveFinal(response: Response): void {
    const { status } = response;
    this.#stopRetransmitting();
    this.#state = this.#isInvite && status < 300 ? 'accepted' : 'completed';
    if (this.#isInvite && status >= 300) {
      const ack = this.#requestInSameBranch('ACK', response.headers.get('to'));
      this.#ack = this.store.serialize(this.flow, this.branch, ack);
      this.flow.send(this.#ack);
    }
    this.#endAfter(this.#lingerMs(), () => undefined);
    this.onResponse(response);
  }

  /** How long retransmissions of the final response are still expected. */
  #lingerMs(): number {
    if (this.#state === 'accepted') return timeoutMs;
    if (isReliable(this.flow)) return 0;
    return this.#isInvite ? timeoutMs : t4;
  }

  /** Cancels an INVITE. The CANCEL is sent only after the first provisional response (§9.1). */
  cancel(headers: Readonly<Record<string, string>> = {}): void {
    if (this.#cancelHeaders || (this.#state !== 'calling' && this.#state !== 'proceeding')) return;
    this.#cancelHeaders = headers;
    if (this.#state === 'proceeding') this.#sendCancel(headers);
  }

  #sendCancel(headers: Readonly<Record<string, string>>): void {
    if (this.store.isOpen(`${this.branch} CANCEL`)) return;
    this.store.sendRequest(
      this.flow,
      this.#requestInSameBranch('CANCEL', null, headers),
      () => undefined,
      this.branch,
    );
    // A phone may never send the final response of the cancelled INVITE.
    this.#endAfter(timeoutMs, () => this.onResponse(null));
  }

  /** The ACK of a refusal, or a CANCEL: the INVITE's own headers under another method. */
  #requestInSameBranch(
    method: string,
    to: string | null,
    extraHeaders: Readonly<Record<string, string>> = {},
  ): OutgoingRequest {
    const { headers, uri } = this.request;
    const [number] = (headers.get('cseq') ?? '').split(' ');
    return {
      method,
      uri,
      headers: new Headers({
        'max-forwards': '70',
        from: headers.get('from') ?? '',
        to: to ?? headers.get('to') ?? '',
        'call-id': headers.get('call-id') ?? '',
        cseq: `${number} ${method}`,
        route: headers.lines('route'),
        ...extraHeaders,
      }),
    };
  }

  #endAfter(ms: number, onEnd: () => void): void {
    this.#cancelTimeout();
    this.#cancelTimeout = this.clock.after(ms, () => {
      this.end();
      onEnd();
    });
  }

  /** Stops all timers and removes the transaction. */
  end(): void {
    this.#state = 'over';
    this.#stopRetransmitting();
    this.#cancelTimeout();
    this.store.removeByKey(this.key);
  }
}
