/**
 * The exchange's second way in: SIP phones (UDP, TCP and TLS with G.711, WebSocket with WebRTC) and carriers' lines, at one
 * port number. A registered phone is a device of its person like an open page: it rings with the others, and what it dials
 * is placed by the product as that person's call.
 */
import type { Device, DeviceMessage } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import { allowedMethods, callKey, type Call, type CallServices } from './call.ts';
import { Dialog } from './dialog.ts';
import { Interconnects, type InterconnectOptions } from './interconnects.ts';
import { writeResponse } from './write-message.ts';
import type { ParsedMessage, Request } from './message.ts';
import { openRegisteredPhones, type PhoneOptions } from './registered-phones.ts';
import { Registrar, type Registration, type SipUser } from './registrar.ts';
import { Transactions } from './transactions.ts';
import { wallClock, type Clock, type Flow } from './transaction-types.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { openTransports } from './transports.ts';
import { UacCall } from './uac.ts';
import { UasCalls, type PlaceCall } from './uas.ts';

export interface SipOptions extends PhoneOptions {
  /** 0: any that is free. */
  port: number;
  /** The address phones reach; sound is sent from it too. */
  host: string;
  /** Where it listens, when that is not `host`: every address of the machine. */
  bind?: string | undefined;
  /** PEM texts of a certificate and its key; without them TLS is not spoken. */
  tls?: { cert: string; key: string } | undefined;
  realm: string;
  secret: string;
  udpPorts?: [number, number] | undefined;
  findUser: (user: string) => Promise<SipUser | null>;
  placeCall: PlaceCall;
  /** A phone puts the call of this leg on hold, or takes it back. Left out: only its own sound rests. */
  hold?: ((who: PhoneUser, leg: string, on: boolean) => Promise<unknown>) | undefined;
  /** A phone passes the call of this leg on to a number or SIP user. Answers why not, or null. Left out: it cannot. */
  transfer?: ((who: PhoneUser, leg: string, to: string) => Promise<string | null>) | undefined;
  /** Carriers reach us and may come in by tokens; left out: they cannot. */
  interconnects?: InterconnectOptions | undefined;
  clock?: Clock | undefined;
}
interface PhoneUser {
  companyId: number;
  userId: number;
  device: string;
}

const knownMethods = new Set([
  'INVITE',
  'ACK',
  'CANCEL',
  'BYE',
  'OPTIONS',
  'REGISTER',
  'INFO',
  'REFER',
  'SUBSCRIBE',
  'NOTIFY',
  'PUBLISH',
  'MESSAGE',
  'UPDATE',
  'PRACK',
]);

/** Listens. Rejects when the port is taken. `port`: the one it got. */
export async function openSipServer(
  exchange: Exchange,
  options: SipOptions,
): Promise<{ port: number; kept(): number; close(): Promise<void> }> {
  const { host, bind = host, realm, clock = wallClock, log } = options;
  let port = options.port;
  const calls = new Map<string, Call>();
  const transactions = new Transactions(
    { request: receive, ack: (request) => callOf(request)?.ack(request) },
    () => `${host}:${port}`,
    clock,
  );
  const services: CallServices = {
    exchange,
    transactions,
    clock,
    calls,
    host,
    bind,
    udpPorts: options.udpPorts,
    log,
  };
  const registrar = new Registrar(options.secret, realm, options.findUser, log, clock);
  const phones = openRegisteredPhones(exchange, registrar, options, onDeviceMessage);
  const uasCalls = new UasCalls(
    services,
    registrar,
    options.placeCall,
    ({ flow }) => contactFor(flow),
    actionsFor,
  );
  const interconnects = options.interconnects
    ? new Interconnects(services, options.interconnects)
    : null;
  const transports = await openTransports(
    { host: bind, port, tls: options.tls },
    { message, closed: phones.disconnected },
  );
  port = transports.port;

  /** Whatever comes in by a socket. Nothing it holds may end more than itself. */
  function message(read: ParsedMessage, flow: Flow): void {
    try {
      if (read.kind === 'wrong') {
        if (read.to && read.method !== 'ACK')
          flow.send(
            writeResponse(read.to, flow, read.status, read.reason, {
              tag: transactions.tagFor(read.to.callId ?? ''),
            }),
            read.to.via.params.has('rport') ? flow.port : (read.to.via.port ?? 5060),
          );
      } else if (read.kind !== 'nothing') transactions.receive(read, flow);
    } catch (trouble) {
      log('A SIP message failed', { because: String(trouble) });
    }
  }

  function receive(transaction: ServerTransaction): void {
    void serve(transaction).catch((trouble: unknown) => {
      log('A SIP request failed', { method: transaction.request.method, because: String(trouble) });
      transaction.respond(500);
    });
  }

  async function serve(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction;
    const { method } = request;
    if (rejectUnsupported(transaction)) return;
    if (request.to.params.has('tag')) {
      const call = callOf(request);
      return call ? call.handleRequest(transaction) : transaction.respond(481);
    }
    switch (method) {
      case 'REGISTER':
        return phones.register(transaction);
      case 'INVITE':
        return interconnects?.isFor(request)
          ? interconnects.onInvite(transaction)
          : uasCalls.onInvite(transaction);
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

  /** The call a request names with both its tags. */
  function callOf(request: Request): Call | null {
    const call = calls.get(callKey(request.callId, request.to.params.get('tag') ?? ''));
    return call?.dialog.matches(request) ? call : null;
  }

  // ---- what the exchange tells a phone ----

  function onDeviceMessage(name: string, device: Device, message: DeviceMessage): void {
    if (!('leg' in message)) return;
    const leg = exchange.legs.get(message.leg);
    const mine = [...calls.values()].filter(
      (call) => call.leg?.id === message.leg && call.phone?.device === name,
    );
    if (message.type === 'ended') {
      for (const call of mine) call.onLegEnded(message.because);
    } else if (message.type === 'ring' && leg) {
      if (leg.farEnd.kind === 'app' && leg.farEnd.device === name)
        return uasCalls.onLegRinging(leg, device, name);
      const phone = registrar.all().find((one) => one.device === name);
      if (!phone || mine.length > 0) return;
      const local = {
        name: leg.callerName,
        uri: `sip:${encodeURIComponent(leg.from).replace('%2B', '+')}@${realm}`,
      };
      const dialog = Dialog.forInvite(
        local,
        { uri: `sip:${phone.user}@${realm}` },
        phone.contact,
        contactFor(phone.flow),
        phone.flow,
      );
      const call = new UacCall(services, dialog, phone, leg, device);
      actionsFor(call, phone);
      void call.ring().catch((trouble: unknown) => {
        log('A SIP phone could not be rung', { because: String(trouble) });
        call.end();
      });
    }
  }

  /** What a phone's user may ask within a call. */
  function actionsFor(call: Call, { person, device }: Registration): void {
    const { hold, transfer } = options;
    const who = (): PhoneUser => ({
      companyId: companyOf(call, person.companies),
      userId: person.userId,
      device,
    });
    call.actions = {
      hold: hold && ((on) => (call.leg ? hold(who(), call.leg.id, on) : Promise.resolve())),
      transfer:
        transfer &&
        ((to) =>
          call.leg ? transfer(who(), call.leg.id, to) : Promise.resolve('There is no call.')),
    };
  }

  function contactFor(flow: Flow): string {
    const transport =
      flow.transport === 'UDP'
        ? ''
        : `;transport=${flow.transport === 'TCP' ? 'tcp' : flow.transport === 'TLS' ? 'tls' : 'ws'}`;
    return `<sip:exchange@${host}:${port}${transport}>`;
  }

  return {
    port,
    kept: () => transactions.size + calls.size,
    async close() {
      phones.close();
      for (const call of [...calls.values()]) {
        if (call.state === 'up') call.hangUp(true);
        else call.onLegEnded('failed');
      }
      await transports.close();
      transactions.close();
    },
  };
}

const companyOf = (call: Call, companies: readonly number[]): number => {
  const farEnd = call.leg?.farEnd;
  return (farEnd?.kind === 'app' ? farEnd.companyId : null) ?? companies[0] ?? 0;
};

/** What no request of any method gets further with. True when it was answered. */
function rejectUnsupported(transaction: ServerTransaction): boolean {
  const { headers, method, uri, body } = transaction.request;
  const required = headers.list('require');
  const type = (headers.get('content-type') ?? 'application/sdp')
    .split(';')[0]
    ?.trim()
    .toLowerCase();
  const accepted =
    headers.lines('accept').length === 0
      ? ['*/*']
      : headers.list('accept').map((one) => one.split(';')[0]?.trim().toLowerCase());
  if (!/^sips?:/i.test(uri)) transaction.respond(416);
  else if (required.length > 0)
    transaction.respond(420, { headers: { unsupported: required.join(', ') } });
  else if (method !== 'INVITE') return false;
  else if (
    body !== '' &&
    (type !== 'application/sdp' || (headers.get('content-encoding') ?? 'identity') !== 'identity')
  )
    transaction.respond(415, {
      headers: { accept: 'application/sdp', 'accept-encoding': 'identity' },
    });
  else if (!['*/*', 'application/*', 'application/sdp'].some((one) => accepted.includes(one)))
    transaction.respond(406, { headers: { accept: 'application/sdp' } });
  else return false;
  return true;
}
