/**
 * The SIP transaction layer (RFC 3261 §17, with RFC 6026): requests are retransmitted until they
 * are answered, and a retransmission is acted upon once. Nothing is kept of a request until its
 * sender has shown that it receives our responses, and everything kept has a timer that removes it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { ClientTransaction, type ClientTransactionStore } from './client-transaction.ts';
import { Headers, type Request, type Response } from './message.ts';
import { ServerTransaction, type ServerTransactionStore } from './server-transaction.ts';
import { wallClock, type Clock, type Flow, type OutgoingRequest } from './transaction-types.ts';
import { writeMessage } from './write-message.ts';

/** Server transactions kept at most: in all, and from one address. */
export const maxTransactions = { all: 20_000, address: 2000 } as const;

interface TransactionUser {
  /** A request that is neither a retransmission, an ACK nor a CANCEL. */
  request(transaction: ServerTransaction): void;
  /** The ACK of a 200. */
  ack(request: Request): void;
}

export class Transactions implements ServerTransactionStore, ClientTransactionStore {
  readonly #server = new Map<string, ServerTransaction>();
  readonly #client = new Map<string, ClientTransaction>();
  readonly #countByAddress = new Map<string, number>();
  readonly #secret = randomBytes(16);

  constructor(
    private readonly user: TransactionUser,
    /** Our own `host:port`, as Via names it. */
    private readonly sentBy: () => string,
    readonly clock: Clock = wallClock,
  ) {}

  /** Transactions in memory, of both kinds. */
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
    else if (method === 'CANCEL') this.#receiveCancel(message, flow);
    else this.user.request(new ServerTransaction(this, key, message, flow, this.clock));
  }

  #receiveCancel(request: Request, flow: Flow): void {
    const invite = this.#server.get(serverKey(request, 'INVITE'));
    const key = invite?.key ?? serverKey(request, 'CANCEL');
    new ServerTransaction(this, key, request, flow, this.clock).respond(invite ? 200 : 481);
    invite?.cancel();
  }

  /** Sends a request that has no response: the ACK of a 200. */
  sendStateless(flow: Flow, message: OutgoingRequest): void {
    flow.send(this.serialize(flow, newBranch(), message));
  }

  /** `onResponse`: see ClientTransaction; null means that the request timed out. */
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
      via: `SIP/2.0/${flow.transport} ${flow.at ?? this.sentBy()};branch=${branch};rport`,
    });
    for (const [name, value] of headers) all.add(name, value);
    return writeMessage(`${method} ${uri} SIP/2.0`, all, body);
  }

  /** Our dialog tag: unguessable, and always the same for one transaction key. */
  tagFor(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('hex').slice(0, 24);
  }

  /** False when the total limit or the limit of the sender's address is reached. */
  add(transaction: ServerTransaction): boolean {
    const { address } = transaction.flow;
    const count = this.#countByAddress.get(address) ?? 0;
    if (this.#server.size >= maxTransactions.all || count >= maxTransactions.address) return false;
    this.#server.set(transaction.key, transaction);
    this.#countByAddress.set(address, count + 1);
    return true;
  }

  has(transaction: ServerTransaction): boolean {
    return this.#server.get(transaction.key) === transaction;
  }

  remove(transaction: ServerTransaction): void {
    if (!this.has(transaction)) return;
    this.#server.delete(transaction.key);
    const { address } = transaction.flow;
    const remaining = (this.#countByAddress.get(address) ?? 1) - 1;
    if (remaining > 0) this.#countByAddress.set(address, remaining);
    else this.#countByAddress.delete(address);
  }

  /** Whether a client transaction with this key is under way. */
  isOpen(key: string): boolean {
    return this.#client.has(key);
  }

  removeByKey(key: string): void {
    this.#client.delete(key);
  }

  /** Ends every transaction and its timers. */
  close(): void {
    for (const one of [...this.#server.values(), ...this.#client.values()]) one.end();
  }
}

const branchCookie = 'z9hG4bK';
const newBranch = (): string => branchCookie + randomBytes(12).toString('hex');

/**
 * The key of a server transaction (§17.2.3). Clients older than RFC 3261 send no magic cookie in
 * the branch; for them the key is made of everything that a retransmission does not change.
 */
function serverKey({ via, callId, cseq, from, uri, vias }: Request, method: string): string {
  const branch = via.params.get('branch') ?? '';
  if (branch.startsWith(branchCookie)) return `${branch} ${via.host}:${via.port ?? 5060} ${method}`;
  return `${callId} ${cseq.number} ${from.params.get('tag') ?? ''} ${uri} ${vias[0] ?? ''} ${method}`;
}
