/**
 * The exchange's second way in: SIP phones (UDP, TCP and TLS with G.711, WebSocket with WebRTC) and carriers' lines, at one
 * port number. A registered phone is a device of its person like an open page: it rings with the others, and what it dials
 * is placed by the product as that person's call.
 */
import type { Device, Said } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import { allowed, callKey, type Call, type Surroundings } from './call.ts';
import { Dialog } from './dialog.ts';
import { Lines, type LineOptions } from './lines.ts';
import { writeResponse, type Read, type Request } from './message.ts';
import { openPhones, type PhoneOptions } from './phones.ts';
import { Registrar, type Registration, type SipPerson } from './registrar.ts';
import {
  Transactions,
  wallClock,
  type Clock,
  type Flow,
  type ServerTransaction,
} from './transactions.ts';
import { openTransports } from './transports.ts';
import { RungCall } from './uac.ts';
import { Dialling, type Place } from './uas.ts';

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
  whoIs: (user: string) => Promise<SipPerson | null>;
  place: Place;
  /** A phone puts the call of this leg on hold, or takes it back. Left out: only its own sound rests. */
  hold?: ((who: Who, leg: string, on: boolean) => Promise<unknown>) | undefined;
  /** A phone passes the call of this leg on to a number or SIP user. Answers why not, or null. Left out: it cannot. */
  transfer?: ((who: Who, leg: string, to: string) => Promise<string | null>) | undefined;
  /** Carriers reach us and may come in by tokens; left out: they cannot. */
  lines?: LineOptions | undefined;
  clock?: Clock | undefined;
}
interface Who {
  companyId: number;
  userId: number;
  device: string;
}

const known = new Set([
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
  const layer = new Transactions(
    { request: receive, ack: (request) => callOf(request)?.ack(request) },
    () => `${host}:${port}`,
    clock,
  );
  const around: Surroundings = {
    exchange,
    layer,
    clock,
    calls,
    host,
    bind,
    udpPorts: options.udpPorts,
    log,
  };
  const registrar = new Registrar(options.secret, realm, options.whoIs, log, clock);
  const phones = openPhones(exchange, registrar, options, hear);
  const dialling = new Dialling(
    around,
    registrar,
    options.place,
    ({ flow }) => contactFor(flow),
    grant,
  );
  const lines = options.lines ? new Lines(around, options.lines) : null;
  const transports = await openTransports(
    { host: bind, port, tls: options.tls },
    { message, closed: phones.disconnected },
  );
  port = transports.port;

  /** Whatever comes in by a socket. Nothing it holds may end more than itself. */
  function message(read: Read, flow: Flow): void {
    try {
      if (read.kind === 'wrong') {
        if (read.to && read.method !== 'ACK')
          flow.send(
            writeResponse(read.to, flow, read.status, read.reason, {
              tag: layer.tagFor(read.to.callId ?? ''),
            }),
            read.to.via.params.has('rport') ? flow.port : (read.to.via.port ?? 5060),
          );
      } else if (read.kind !== 'nothing') layer.hear(read, flow);
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
    if (refuseUnserved(transaction)) return;
    if (request.to.params.has('tag')) {
      const call = callOf(request);
      return call ? call.within(transaction) : transaction.respond(481);
    }
    switch (method) {
      case 'REGISTER':
        return phones.register(transaction);
      case 'INVITE':
        return lines?.wants(request) ? lines.invited(transaction) : dialling.invited(transaction);
      case 'OPTIONS':
        return transaction.respond(200, { headers: { allow: allowed, accept: 'application/sdp' } });
      case 'SUBSCRIBE':
        return transaction.respond(489);
      case 'BYE':
      case 'INFO':
      case 'REFER':
        return transaction.respond(481);
      default:
        return transaction.respond(known.has(method) ? 405 : 501, { headers: { allow: allowed } });
    }
  }

  /** The call a request names with both its tags. */
  function callOf(request: Request): Call | null {
    const call = calls.get(callKey(request.callId, request.to.params.get('tag') ?? ''));
    return call?.dialog.isWith(request) ? call : null;
  }

  // ---- what the exchange tells a phone ----

  function hear(name: string, device: Device, said: Said): void {
    if (!('leg' in said)) return;
    const leg = exchange.legs.get(said.leg);
    const mine = [...calls.values()].filter(
      (call) => call.leg?.id === said.leg && call.phone?.device === name,
    );
    if (said.type === 'ended') {
      for (const call of mine) call.leave(said.because);
    } else if (said.type === 'ring' && leg) {
      if (leg.farEnd.kind === 'app' && leg.farEnd.device === name)
        return dialling.rung(leg, device, name);
      const phone = registrar.all().find((one) => one.device === name);
      if (!phone || mine.length > 0) return;
      const local = {
        name: leg.callerName,
        uri: `sip:${encodeURIComponent(leg.from).replace('%2B', '+')}@${realm}`,
      };
      const dialog = Dialog.inviting(
        local,
        { uri: `sip:${phone.user}@${realm}` },
        phone.contact,
        contactFor(phone.flow),
        phone.flow,
      );
      const call = new RungCall(around, dialog, phone, leg, device);
      grant(call, phone);
      void call.ring().catch((trouble: unknown) => {
        log('A SIP phone could not be rung', { because: String(trouble) });
        call.end();
      });
    }
  }

  /** What a phone's user may ask within a call. */
  function grant(call: Call, { person, device }: Registration): void {
    const { hold, transfer } = options;
    const who = (): Who => ({
      companyId: companyOf(call, person.companies),
      userId: person.userId,
      device,
    });
    call.wishes = {
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
    kept: () => layer.size + calls.size,
    async close() {
      phones.close();
      for (const call of [...calls.values()]) {
        if (call.state === 'up') call.hangUp(true);
        else call.leave('failed');
      }
      await transports.close();
      layer.close();
    },
  };
}

const companyOf = (call: Call, companies: readonly number[]): number => {
  const farEnd = call.leg?.farEnd;
  return (farEnd?.kind === 'app' ? farEnd.companyId : null) ?? companies[0] ?? 0;
};

/** What no request of any method gets further with. True when it was answered. */
function refuseUnserved(transaction: ServerTransaction): boolean {
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
