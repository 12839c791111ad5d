/**
 * The exchange's SIP server: phones (UDP, TCP and TLS with G.711, WebSocket with WebRTC) and calls
 * from carriers' trunks, all at one port number. A registered phone is one of its user's devices,
 * like an open page: it rings with the others, and what it dials the product places as that user's
 * call.
 */
import type { Device, DeviceMessage } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import type { Leg } from '../leg.ts';
import { callKey, type Call, type CallServices } from './call.ts';
import { Dialog } from './dialog.ts';
import { Interconnects } from './interconnects.ts';
import { attachActions } from './attach-actions.ts';
import type { ParsedMessage, Request } from './message.ts';
import { allowedMethods, knownMethods } from './methods.ts';
import { PhonesElsewhere } from './phones-elsewhere.ts';
import { RegisteredPhones } from './registered-phones.ts';
import { Registrar, type Registration } from './registrar.ts';
import { Relay } from './relay.ts';
import { rejectUnsupported } from './reject-unsupported.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { SipOptions } from './sip-options.ts';
import { wallClock, type Flow } from './transaction-types.ts';
import { Transactions } from './transactions.ts';
import { openTransports, transportParameters, type Transports } from './transports.ts';
import { UacCall } from './uac.ts';
import { UasCalls } from './uas.ts';
import { writeResponse } from './write-message.ts';

/** Starts listening. Rejects when the port is in use, and then leaves nothing running. */
export async function openSipServer(exchange: Exchange, options: SipOptions): Promise<SipServer> {
  const server = new SipServer(exchange, options);
  try {
    await server.listen();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

class SipServer {
  /** The port it listens at; before that the one that was asked for. */
  port: number;
  /** Dialogs by Call-ID and our tag. */
  readonly #calls = new Map<string, Call>();
  readonly #transactions: Transactions;
  readonly #services: CallServices;
  readonly #registrar: Registrar;
  readonly #phones: RegisteredPhones;
  readonly #elsewhere: PhonesElsewhere | null;
  readonly relay: Relay;
  readonly #uasCalls: UasCalls;
  readonly #interconnects: Interconnects | null;
  #transports: Transports | null = null;

  constructor(
    private readonly exchange: Exchange,
    private readonly options: SipOptions,
  ) {
    const { host, bind = host, realm, clock = wallClock, log, udpPorts } = options;
    this.port = options.port;
    this.#transactions = new Transactions(
      {
        request: (transaction) => this.#receive(transaction),
        ack: (request) => this.#callOf(request)?.ack(request),
      },
      () => this.#at(),
      clock,
    );
    const [calls, transactions] = [this.#calls, this.#transactions];
    this.#services = { exchange, transactions, clock, calls, host, bind, udpPorts, log };
    this.#registrar = new Registrar(options.secret, realm, options.findUser, log, clock);
    const onDeviceMessage = (name: string, device: Device, message: DeviceMessage) =>
      this.#onDeviceMessage(name, device, message);
    this.#phones = new RegisteredPhones(exchange, this.#registrar, options, onDeviceMessage, () =>
      this.#at(),
    );
    this.relay = new Relay(
      options,
      () => this.#at(),
      (key) => this.#registrar.all().find(({ flow }) => flow.key === key)?.flow ?? null,
      (read, flow) => this.#onMessage(read, flow),
    );
    this.#elsewhere = options.peers
      ? new PhonesElsewhere(
          exchange,
          options.peers,
          (phone) => this.relay.flowTo(phone),
          onDeviceMessage,
          log,
        )
      : null;
    this.#uasCalls = new UasCalls(
      this.#services,
      this.#registrar,
      options.placeCall,
      ({ flow }) => this.#contactFor(flow),
      (call, phone) => attachActions(call, phone, options),
    );
    this.#interconnects = options.interconnects
      ? new Interconnects(this.#services, options.interconnects)
      : null;
  }

  async listen(): Promise<void> {
    const { bind, tls } = { ...this.options, bind: this.#services.bind };
    this.#transports = await openTransports(
      { host: bind, port: this.port, tls },
      {
        message: (read, flow, bytes) =>
          this.relay.takes(read, flow, bytes) || this.#onMessage(read, flow),
        closed: (flow) => this.#phones.disconnected(flow),
      },
    );
    this.port = this.#transports.port;
  }

  /** Transactions and dialogs in memory. For tests. */
  kept(): number {
    return this.#transactions.size + this.#calls.size;
  }

  async close(): Promise<void> {
    this.#phones.close();
    await this.#elsewhere?.close();
    for (const call of [...this.#calls.values()]) {
      if (call.state === 'up') call.hangUp(true);
      else call.onLegEnded('failed');
    }
    await this.#transports?.close();
    this.#transactions.close();
    await this.relay.close();
  }

  /** `host:port` by which phones know us. */
  #at(): string {
    return `${this.options.host}:${this.port}`;
  }

  // ---- what the network sends ----

  /** An error in one message must not affect any other. */
  #onMessage(read: ParsedMessage, flow: Flow): void {
    try {
      if (read.kind === 'wrong') this.#rejectMalformed(read, flow);
      else if (read.kind !== 'nothing') this.#transactions.receive(read, flow);
    } catch (error) {
      this.options.log('A SIP message failed', { because: String(error) });
    }
  }

  #rejectMalformed(read: Extract<ParsedMessage, { kind: 'wrong' }>, flow: Flow): void {
    const { to, method, status, reason } = read;
    if (!to || method === 'ACK') return;
    const tag = this.#transactions.tagFor(to.callId ?? '');
    const port = to.via.params.has('rport') ? flow.port : (to.via.port ?? 5060);
    flow.send(writeResponse(to, flow, status, reason, { tag }), port);
  }

  #receive(transaction: ServerTransaction): void {
    void this.#serve(transaction).catch((error: unknown) => {
      const { method } = transaction.request;
      this.options.log('A SIP request failed', { method, because: String(error) });
      transaction.respond(500);
    });
  }

  async #serve(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction;
    const { method } = request;
    if (rejectUnsupported(transaction)) return;
    if (request.to.params.has('tag')) {
      const call = this.#callOf(request);
      return call ? call.handleRequest(transaction) : transaction.respond(481);
    }
    switch (method) {
      case 'REGISTER':
        return this.#phones.register(transaction);
      case 'INVITE':
        return this.#interconnects?.isFor(request)
          ? this.#interconnects.onInvite(transaction)
          : this.#uasCalls.onInvite(transaction);
      case 'OPTIONS':
        return transaction.respond(200, {
          headers: { allow: allowedMethods, accept: 'application/sdp' },
        });
      case 'SUBSCRIBE':
        return transaction.respond(489);
      case 'BYE':
      case 'INFO':
      case 'REFER':
        return transaction.respond(481);
      default:
        return transaction.respond(knownMethods.has(method) ? 405 : 501, {
          headers: { allow: allowedMethods },
        });
    }
  }

  /** The call a request belongs to by both its tags; null when there is none. */
  #callOf(request: Request): Call | null {
    const call = this.#calls.get(callKey(request.callId, request.to.params.get('tag') ?? ''));
    return call?.dialog.matches(request) ? call : null;
  }

  // ---- what the exchange sends to a phone ----

  #onDeviceMessage(name: string, device: Device, message: DeviceMessage): void {
    if (message.type !== 'ended' && message.type !== 'ring') return;
    const calls = [...this.#calls.values()].filter(
      (call) => call.leg?.id === message.leg && call.phone?.device === name,
    );
    if (message.type === 'ended') {
      for (const call of calls) call.onLegEnded(message.because);
      return;
    }
    const leg = this.exchange.legs.get(message.leg);
    if (!leg) return;
    if (leg.farEnd.kind === 'app' && leg.farEnd.device === name)
      return this.#uasCalls.onLegRinging(leg, device, name);
    const phone =
      this.#registrar.all().find((one) => one.device === name) ?? this.#elsewhere?.find(name);
    if (phone && calls.length === 0) this.#ring(phone, leg, device);
  }

  #ring(phone: Registration, leg: Leg, device: Device): void {
    const { realm, log } = this.options;
    const caller = encodeURIComponent(leg.from).replace('%2B', '+');
    const dialog = Dialog.forInvite(
      { name: leg.callerName, uri: `sip:${caller}@${realm}` },
      { uri: `sip:${phone.user}@${realm}` },
      phone.contact,
      this.#contactFor(phone.flow),
      phone.flow,
    );
    const call = new UacCall(this.#services, dialog, phone, leg, device);
    attachActions(call, phone, this.options);
    void call.ring().catch((error: unknown) => {
      log('A SIP phone could not be rung', { because: String(error) });
      call.end();
    });
  }

  #contactFor(flow: Flow): string {
    const transport = transportParameters[flow.transport];
    return `<sip:exchange@${flow.at ?? this.#at()}${transport}>`;
  }
}
