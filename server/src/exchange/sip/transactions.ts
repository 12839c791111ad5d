/**
 * Transactions (RFC 3261 §17, with RFC 6026): what was said is said again until it is answered, what is heard twice is
 * acted upon once. Nothing is kept of a request until its sender has shown that it can hear us; what is kept ends by itself.
 */
import { createHmac, randomBytes } from 'node:crypto';
import {
  Headers,
  templateOf,
  writeMessage,
  writeResponse,
  type Request,
  type Response,
} from './message.ts';

/** Time, as transactions need it; another one in tests. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Answers what calls it off. */
  after(ms: number, act: () => void): () => void;
}
export const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The way between one client and us: an address over UDP, or one connection. */
export interface Flow {
  readonly transport: 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS';
  readonly address: string;
  readonly port: number;
  readonly key: string;
  /** `port`: another one at the same address, over UDP. Into a closed connection nothing is sent. */
  send(bytes: Buffer, port?: number): void;
}
/** A browser's, whose sound is WebRTC. */
export const isWeb = (flow: Flow): boolean => flow.transport === 'WS' || flow.transport === 'WSS';
/** Over a connection nothing gets lost, so nothing is said twice. */
const isReliable = (flow: Flow): boolean => flow.transport !== 'UDP';

/** Milliseconds: the round trip assumed, the longest pause between repetitions, how long a packet may wander (§17.1.1.1). */
const t1 = 500;
const t2 = 4000;
const t4 = 5000;
const timeoutMs = 64 * t1;
/** Whatever is never answered is forgotten after this: longer than any phone rings. Milliseconds. */
const abandonedMs = 300_000;
/** Transactions kept at most, and of one address. */
export const maxTransactions = { all: 20_000, address: 2000 } as const;

export interface ResponseParts {
  headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  body?: string | undefined;
}
export interface OutgoingRequest {
  method: string;
  uri: string;
  headers: Headers;
  body?: string | undefined;
}

const reasonPhrases: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  484: 'Address Incomplete',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  505: 'Version Not Supported',
  603: 'Decline',
};
export const reasonPhrase = (status: number): string => reasonPhrases[status] ?? 'Error';

/** A request that came in, and our answers to it. */
export class ServerTransaction {
  state: 'trying' | 'proceeding' | 'completed' | 'accepted' | 'confirmed' | 'over' = 'trying';
  /** Ours in the dialog this request may begin; the same for each repetition of it. */
  readonly tag: string;
  /** Its sender takes it back. Only INVITEs, before a final answer. */
  onCancel: (() => void) | null = null;
  /** Our "200" to an INVITE was never acknowledged. */
  onUnacknowledged: (() => void) | null = null;
  #last: Buffer | null = null;
  #stopRepeating: () => void = () => undefined;
  #stopWaiting: () => void = () => undefined;

  constructor(
    private readonly transactions: Transactions,
    readonly key: string,
    readonly request: Request,
    readonly flow: Flow,
    readonly clock: Clock,
  ) {
    this.tag = transactions.tagFor(key);
  }

  get invites(): boolean {
    return this.request.method === 'INVITE';
  }

  /** From now on repetitions are answered as the first one was. False when there is no room for it; it was refused then. */
  admit(): boolean {
    if (this.transactions.add(this)) {
      this.#forgetAfter(abandonedMs);
      return true;
    }
    this.respond(503, { headers: { 'retry-after': '10' } });
    return false;
  }

  respond(status: number, parts: ResponseParts = {}, reason = reasonPhrase(status)): void {
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    const bytes = writeResponse(templateOf(this.request), this.flow, status, reason, {
      tag: this.tag,
      ...parts,
    });
    this.#last = bytes;
    this.#send(bytes);
    if (status < 200) this.state = 'proceeding';
    else this.#completed(status);
  }

  #completed(status: number): void {
    const success = status < 300;
    this.state = this.invites && success ? 'accepted' : 'completed';
    if (!this.transactions.has(this)) {
      this.state = 'over';
    } else if (!this.invites) {
      this.#forgetAfter(isReliable(this.flow) ? 0 : timeoutMs);
    } else {
      // A "200" is repeated on every transport: it may get lost behind a proxy (§13.3.1.4).
      if (success || !isReliable(this.flow)) this.#repeat(t1);
      this.#forgetAfter(timeoutMs, success ? () => this.onUnacknowledged?.() : undefined);
    }
  }

  #repeat(afterMs: number): void {
    this.#stopRepeating = this.clock.after(afterMs, () => {
      if (this.#last) this.#send(this.#last);
      this.#repeat(Math.min(afterMs * 2, t2));
    });
  }

  /** The same request again. */
  retransmit(): void {
    if (this.#last && this.state !== 'confirmed') this.#send(this.#last);
  }

  /** Our final answer to an INVITE arrived. */
  acknowledge(): void {
    if (this.state !== 'completed' && this.state !== 'accepted') return;
    this.#stopRepeating();
    const accepted = this.state === 'accepted';
    this.state = 'confirmed';
    // Late repetitions of the INVITE still belong here.
    this.#forgetAfter(accepted ? timeoutMs : isReliable(this.flow) ? 0 : t4);
  }

  /** Its sender cancels it. */
  cancel(): void {
    if (this.state === 'trying' || this.state === 'proceeding') this.onCancel?.();
  }

  #send(bytes: Buffer): void {
    const { via } = this.request;
    // RFC 3261 §18.2.2: to the port it names, unless it asked for the one it came from.
    this.flow.send(bytes, via.params.has('rport') ? this.flow.port : (via.port ?? 5060));
  }

  #forgetAfter(ms: number, first?: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.clock.after(ms, () => {
      this.end();
      first?.();
    });
  }

  end(): void {
    this.state = 'over';
    this.#stopRepeating();
    this.#stopWaiting();
    this.transactions.remove(this);
  }
}

/** A request of ours, said until it is answered. */
export class ClientTransaction {
  readonly key: string;
  #state: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'over' = 'calling';
  #cancelWanted: Readonly<Record<string, string>> | null = null;
  #ack: Buffer | null = null;
  #stopRepeating: () => void = () => undefined;
  #stopWaiting: () => void = () => undefined;
  readonly #bytes: Buffer;

  constructor(
    private readonly transactions: Transactions,
    private readonly flow: Flow,
    private readonly request: OutgoingRequest,
    private readonly branch: string,
    private readonly clock: Clock,
    /** Each answer once, provisional ones too; of a "200" to an INVITE every repetition. null: nobody answered. */
    private readonly onResponse: (response: Response | null) => void,
  ) {
    this.key = `${branch} ${request.method}`;
    this.#bytes = transactions.serialize(flow, branch, request);
    flow.send(this.#bytes);
    if (!isReliable(flow)) this.#repeat(t1);
    this.#wait(timeoutMs, () => this.onResponse(null));
  }

  get #invites(): boolean {
    return this.request.method === 'INVITE';
  }

  #repeat(afterMs: number): void {
    this.#stopRepeating();
    this.#stopRepeating = this.clock.after(afterMs, () => {
      this.flow.send(this.#bytes);
      this.#repeat(this.#invites ? afterMs * 2 : Math.min(afterMs * 2, t2));
    });
  }

  receive(response: Response): void {
    const { status } = response;
    if (this.#state === 'completed') {
      if (this.#ack && status >= 300) this.flow.send(this.#ack);
      return;
    }
    if (this.#state === 'accepted') {
      if (status >= 200 && status < 300) this.onResponse(response);
      return;
    }
    if (status < 200) {
      if (this.#state === 'calling' && this.#invites) {
        this.#stopRepeating();
        this.#wait(abandonedMs, () => this.onResponse(null));
      } else if (!this.#invites && !isReliable(this.flow)) this.#repeat(t2);
      this.#state = 'proceeding';
      if (this.#cancelWanted) this.#sendCancel(this.#cancelWanted);
      return this.onResponse(response);
    }
    this.#stopRepeating();
    this.#state = this.#invites && status < 300 ? 'accepted' : 'completed';
    if (this.#invites && status >= 300) {
      this.#ack = this.transactions.serialize(
        this.flow,
        this.branch,
        this.#sameBranch('ACK', response.headers.get('to')),
      );
      this.flow.send(this.#ack);
    }
    const stays =
      this.#state === 'accepted'
        ? timeoutMs
        : isReliable(this.flow)
          ? 0
          : this.#invites
            ? timeoutMs
            : t4;
    this.#wait(stays, () => undefined);
    this.onResponse(response);
  }

  /** Take an INVITE back. Said only once the other side has shown that it heard the INVITE (§9.1). */
  cancel(headers: Readonly<Record<string, string>> = {}): void {
    if (this.#cancelWanted || (this.#state !== 'calling' && this.#state !== 'proceeding')) return;
    this.#cancelWanted = headers;
    if (this.#state === 'proceeding') this.#sendCancel(headers);
  }
  #sendCancel(headers: Readonly<Record<string, string>>): void {
    if (this.transactions.isOpen(`${this.branch} CANCEL`)) return;
    this.transactions.sendRequest(
      this.flow,
      this.#sameBranch('CANCEL', null, headers),
      () => undefined,
      this.branch,
    );
    // A phone that never says how the cancelled call ended is not waited for.
    this.#wait(timeoutMs, () => this.onResponse(null));
  }

  /** ACK of a refusal and CANCEL: the INVITE's own headers, under another name. */
  #sameBranch(
    method: string,
    to: string | null,
    more: Readonly<Record<string, string>> = {},
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
        ...more,
      }),
    };
  }

  #wait(ms: number, then: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.clock.after(ms, () => {
      this.end();
      then();
    });
  }

  end(): void {
    this.#state = 'over';
    this.#stopRepeating();
    this.#stopWaiting();
    this.transactions.removeByKey(this.key);
  }
}

export interface TransactionUser {
  /** A request that is not a repetition, an ACK or a CANCEL. */
  request(transaction: ServerTransaction): void;
  /** An ACK of a "200". */
  ack(request: Request): void;
}

export class Transactions {
  readonly #server = new Map<string, ServerTransaction>();
  readonly #client = new Map<string, ClientTransaction>();
  readonly #ofAddress = new Map<string, number>();
  readonly #secret = randomBytes(16);

  constructor(
    private readonly user: TransactionUser,
    /** `host:port` of ours, as Via names it. */
    private readonly sentBy: () => string,
    readonly clock: Clock = wallClock,
  ) {}

  /** How many are kept. */
  get size(): number {
    return this.#server.size + this.#client.size;
  }

  receive(message: Request | Response, flow: Flow): void {
    if (message.kind === 'response') {
      this.#client
        .get(`${message.via.params.get('branch') ?? ''} ${message.cseq.method}`)
        ?.receive(message);
      return;
    }
    const { method } = message;
    const key = serverKey(message, method === 'ACK' ? 'INVITE' : method);
    const known = this.#server.get(key);
    if (method === 'ACK') {
      if (known && known.state !== 'accepted') known.acknowledge();
      else this.user.ack(message);
    } else if (known) known.retransmit();
    else if (method === 'CANCEL') this.#cancel(message, flow);
    else this.user.request(new ServerTransaction(this, key, message, flow, this.clock));
  }

  #cancel(request: Request, flow: Flow): void {
    const asked = this.#server.get(serverKey(request, 'INVITE'));
    new ServerTransaction(
      this,
      asked?.key ?? serverKey(request, 'CANCEL'),
      request,
      flow,
      this.clock,
    ).respond(asked ? 200 : 481);
    asked?.cancel();
  }

  /** Say something to which there is no answer: an ACK of a "200". */
  sendStateless(flow: Flow, message: OutgoingRequest): void {
    flow.send(this.serialize(flow, newBranch(), message));
  }

  sendRequest(
    flow: Flow,
    request: OutgoingRequest,
    onResponse: (response: Response | null) => void,
    branch = newBranch(),
  ): ClientTransaction {
    const transaction = new ClientTransaction(this, flow, request, branch, this.clock, onResponse);
    this.#client.set(transaction.key, transaction);
    return transaction;
  }

  serialize(flow: Flow, branch: string, { method, uri, headers, body }: OutgoingRequest): Buffer {
    const all = new Headers({
      via: `SIP/2.0/${flow.transport} ${this.sentBy()};branch=${branch};rport`,
    });
    for (const [name, value] of headers) all.add(name, value);
    return writeMessage(`${method} ${uri} SIP/2.0`, all, body);
  }

  /** Not to be guessed, and the same whenever it is asked for the same transaction. */
  tagFor(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('hex').slice(0, 24);
  }

  add(transaction: ServerTransaction): boolean {
    const { address } = transaction.flow;
    const count = this.#ofAddress.get(address) ?? 0;
    if (this.#server.size >= maxTransactions.all || count >= maxTransactions.address) return false;
    this.#server.set(transaction.key, transaction);
    this.#ofAddress.set(address, count + 1);
    return true;
  }
  has(transaction: ServerTransaction): boolean {
    return this.#server.get(transaction.key) === transaction;
  }
  remove(transaction: ServerTransaction): void {
    if (!this.has(transaction)) return;
    this.#server.delete(transaction.key);
    const { address } = transaction.flow;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
  isOpen(key: string): boolean {
    return this.#client.has(key);
  }
  removeByKey(key: string): void {
    this.#client.delete(key);
  }

  /** Stop waiting and repeating. */
  close(): void {
    for (const one of [...this.#server.values(), ...this.#client.values()]) one.end();
  }
}

const branchCookie = 'z9hG4bK';
const newBranch = (): string => branchCookie + randomBytes(12).toString('hex');

/** What tells transactions apart (§17.2.3); of phones before RFC 3261, who leave the cookie out, everything that does not change. */
function serverKey({ via, callId, cseq, from, uri, vias }: Request, method: string): string {
  const branch = via.params.get('branch') ?? '';
  if (branch.startsWith(branchCookie)) return `${branch} ${via.host}:${via.port ?? 5060} ${method}`;
  return `${callId} ${cseq.number} ${from.params.get('tag') ?? ''} ${uri} ${vias[0] ?? ''} ${method}`;
}
