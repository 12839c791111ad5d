/**
 * The exchange's second front door: SIP phones, by UDP with G.711 and by WebSocket with WebRTC, at one port number. A
 * registered phone is a device of its person like an open page: it rings with the others, and what it dials is placed by
 * the product as that person's call.
 */
import { randomBytes } from 'node:crypto';
import sip, { type Flow, type Request, type Response, type Stack } from 'sip';
import type { Device, Said } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import type { Leg } from '../leg.ts';
import { answerOffer, type Peer } from '../peer.ts';
import { openLines, type LineOptions } from './lines.ts';
import { openPhones, type PhoneOptions } from './phones.ts';
import { Registrar, type Registration, type SipPerson } from './registrar.ts';
import { rtpPeer, type RtpPeer } from './rtp-peer.ts';
import { readMedia, sayMedia } from './sdp.ts';

export interface SipOptions extends PhoneOptions {
  port: number;
  /** The address phones reach; sound is sent from it too. */
  host: string;
  /** Where it listens, when that is not `host`: every address of the machine. */
  bind?: string | undefined;
  realm: string;
  secret: string;
  udpPorts?: [number, number] | undefined;
  whoIs: (user: string) => Promise<SipPerson | null>;
  /** A person dials: the product places the call and rings `device`. Answers why it did not, in words, or null. */
  place: (who: { companyId: number; userId: number; device: string; to: string }) => Promise<string | null>;
  /** Carriers reach us and may come in by tokens; left out: they cannot. */
  lines?: LineOptions | undefined;
}

/** One call of a phone, from its first word to its BYE. */
interface Dialog { leg: Leg | null; phone: Registration; callId: string; ours: string; theirs: string; target: string; seq: number; peer: Peer | null; state: 'early' | 'up' | 'over'; invite: Request | null; /** What our ACK said; null = not said yet. */ ackSaid: string | null; taking: boolean; refuse: ((status: number) => void) | null }

/** Milliseconds a phone waits for the product to place its call. */
const placeMs = 20_000;
/** Milliseconds between the last word to the phones and the end of their socket. */
const farewellMs = 100;
const tag = (): string => randomBytes(6).toString('hex');

export function openSipDoor(exchange: Exchange, options: SipOptions): { close(): Promise<void> } {
  const registrar = new Registrar(options.secret, options.realm, options.whoIs);
  const phones = openPhones(exchange, registrar, options, hear);
  const dialogs = new Map<string, Dialog>();
  /** Phones that dialled and wait for the product to ring them: device → their call. */
  const dialling = new Map<string, Dialog>();
  const { host, port, bind = host } = options;

  // The package knows a port for WebSocket only, and hands it to `listen` as it is: with a host in it, both doors are at one address alone.
  const stack: Stack = sip.create({ address: bind, publicAddress: host, port, tcp: false, ws_port: { port, host: bind }, logger: { error: (trouble: unknown) => options.log('SIP', { because: String(trouble) }) } }, (request, flow) => void receive(request, flow).catch((trouble: unknown) => {
    options.log('A SIP request failed', { method: request.method, because: String(trouble) });
    if (request.method !== 'ACK') reply(request, 500, 'Server Error');
  }));
  const lines = options.lines ? openLines(exchange, options.lines, { stack, bind, udpPorts: options.udpPorts, log: options.log }) : null;
  const reply = (request: Request, status: number, reason: string, headers: Record<string, unknown> = {}, content?: string): void => stack.send(sip.makeResponse(request, status, reason, { headers, ...(content === undefined ? {} : { content }) }));
  const contactOf = (flow: Flow) => [{ uri: `sip:exchange@${host}:${port}${flow.protocol === 'WS' ? ';transport=ws' : ''}`, params: {} }];

  async function receive(request: Request, flow: Flow): Promise<void> {
    if (lines?.hears(request, flow)) return;
    switch (request.method) {
      case 'REGISTER':
        return register(request, flow);
      case 'INVITE':
        return request.headers.to.params['tag'] ? reinvite(request) : invite(request, flow);
      case 'ACK':
        return;
      case 'BYE': {
        const dialog = dialogs.get(request.headers['call-id']);
        if (!dialog) return reply(request, 481, 'Call Does Not Exist');
        reply(request, 200, 'OK');
        dialog.state = 'over';
        return over(dialog);
      }
      case 'CANCEL': {
        const dialog = dialogs.get(request.headers['call-id']);
        if (!dialog) return reply(request, 481, 'Call Does Not Exist');
        reply(request, 200, 'OK');
        dialog.refuse?.(487);
        return;
      }
      case 'OPTIONS':
        return reply(request, 200, 'OK', { allow: 'INVITE, ACK, CANCEL, BYE, OPTIONS, REGISTER' });
      default:
        return reply(request, 405, 'Method Not Allowed', { allow: 'INVITE, ACK, CANCEL, BYE, OPTIONS, REGISTER' });
    }
  }

  /** The person behind a request; null when the answer was sent. */
  async function admitted(request: Request, flow: Flow): Promise<{ user: string; person: SipPerson } | null> {
    const seen = await registrar.recognize(request, flow);
    if ('challenge' in seen) reply(request, 401, 'Unauthorized', { 'www-authenticate': seen.challenge });
    else if ('refused' in seen) reply(request, seen.refused, seen.refused === 403 ? 'Forbidden' : 'Service Unavailable');
    else return seen;
    return null;
  }

  // ---- phones that are there ----

  async function register(request: Request, flow: Flow): Promise<void> {
    const seen = await admitted(request, flow);
    if (!seen) return;
    const { contact } = request.headers;
    if (contact === '*') {
      for (const phone of registrar.all().filter(({ user }) => user === seen.user)) {
        registrar.enter(phone.user, seen.person, phone.contact, flow, 0);
        await phones.gone(phone);
      }
      return reply(request, 200, 'OK');
    }
    const granted = [];
    for (const one of contact ?? []) {
      const wanted = Number(one.params['expires'] ?? request.headers.expires ?? 300);
      const entered = registrar.enter(seen.user, seen.person, one.uri, flow, Number.isFinite(wanted) ? wanted : 300);
      if (entered.seconds === 0) await phones.gone(entered.phone);
      else if (!(await phones.arrived(entered.phone))) {
        // "OK" would promise that it rings.
        registrar.enter(seen.user, seen.person, one.uri, flow, 0);
        return reply(request, 503, 'Service Unavailable', { 'retry-after': '5' });
      }
      granted.push({ ...one, params: { ...one.params, expires: String(entered.seconds) } });
    }
    reply(request, 200, 'OK', { contact: granted, expires: granted[0]?.params.expires ?? '300' });
  }

  /** The exchange tells a phone's device what happens on its lines. */
  function hear(name: string, device: Device, said: Said): void {
    if (!('leg' in said)) return;
    const leg = exchange.legs.get(said.leg);
    const phone = registrar.all().find((one) => one.device === name);
    if (said.type === 'ring' && leg && phone) {
      const own = dialling.get(name);
      if (own) void takeOwn(own, leg, device);
      else if (![...dialogs.values()].some((dialog) => dialog.leg === leg)) void ring(phone, leg, device).catch(() => undefined);
    } else if (said.type === 'ended') {
      for (const dialog of dialogs.values()) if (dialog.leg?.id === said.leg && dialog.phone.device === name) hangUp(dialog);
    }
  }

  // ---- a phone is rung ----

  async function ring(phone: Registration, leg: Leg, device: Device): Promise<void> {
    const web = phone.flow.protocol === 'WS';
    const dialog: Dialog = { leg, phone, callId: `${tag()}${tag()}@${host}`, ours: tag(), theirs: '', target: phone.contact, seq: 1, peer: null, state: 'early', invite: null, ackSaid: null, taking: false, refuse: null };
    dialogs.set(dialog.callId, dialog);
    const rtp = web ? null : await soundOf(dialog);
    dialog.peer = rtp;
    if (isOver(dialog) || leg.state !== 'ringing') return over(dialog);
    const shown = leg.callerName ? { name: `"${leg.callerName.replace(/["\\]/g, '')}"` } : {};
    const request: Request = {
      method: 'INVITE', uri: phone.contact,
      headers: {
        to: { uri: `sip:${phone.user}@${options.realm}`, params: {} }, from: { ...shown, uri: `sip:${leg.from}@${options.realm}`, params: { tag: dialog.ours } }, 'call-id': dialog.callId, cseq: { seq: dialog.seq, method: 'INVITE' },
        contact: contactOf(phone.flow), route: [{ uri: stack.encodeFlowUri(phone.flow) }], 'max-forwards': 70, via: [], ...(rtp ? { 'content-type': 'application/sdp' } : {}),
      } as Request['headers'],
      // A browser is asked for its offer, because ours are made to answer; a desk phone is offered both dialects.
      content: rtp ? sayMedia(host, rtp.port) : '',
    };
    dialog.invite = request;
    stack.send(request, (response) => void invited(dialog, device, rtp, response).catch((trouble: unknown) => {
      options.log('A SIP phone’s answer failed', { because: String(trouble) });
      hangUp(dialog);
    }));
  }

  async function invited(dialog: Dialog, device: Device, rtp: RtpPeer | null, response: Response): Promise<void> {
    const leg = dialog.leg;
    if (response.status < 200 || !leg) return;
    // A phone says "200" again until it has heard our ACK: the answer is made once, and the same one said again.
    if (dialog.taking) {
      if (dialog.ackSaid !== null) ack(dialog, dialog.ackSaid);
      return;
    }
    dialog.taking = true;
    dialog.theirs = response.headers.to.params['tag'] ?? dialog.theirs;
    const contact = response.headers.contact;
    if (Array.isArray(contact) && contact[0]) dialog.target = contact[0].uri;
    if (response.status >= 300) {
      const refused = dialog.state === 'early' && (response.status === 486 || response.status === 600 || response.status === 603 || response.status === 480);
      dialog.state = 'over';
      dialogs.delete(dialog.callId);
      dialog.peer?.close();
      device.lines.delete(leg);
      // One phone of several that declines silences only itself; the last one ends the leg.
      if (refused && leg.state === 'ringing' && exchange.devices.of(leg.farEnd).every((other) => !other.lines.has(leg))) exchange.end(leg, response.status === 486 ? 'busy' : 'declined', 'declined');
      return;
    }
    if (isOver(dialog) || leg.state !== 'ringing') {
      ack(dialog);
      dialog.state = 'up';
      return hangUp(dialog);
    }
    leg.claimed = true;
    let answer = '';
    try {
      if (rtp) plug(rtp, response.content ?? '');
      else {
        dialog.peer = await webSound(dialog, response.content ?? '');
        answer = dialog.peer.sdp;
      }
    } catch (trouble) {
      leg.claimed = false;
      ack(dialog);
      dialog.state = 'up';
      hangUp(dialog);
      throw trouble;
    }
    ack(dialog, answer);
    dialog.state = 'up';
    leg.claimed = false;
    if (leg.state !== 'ringing') return hangUp(dialog);
    leg.peer = dialog.peer;
    exchange.answered(leg, device);
  }

  // ---- a phone dials ----

  async function invite(request: Request, flow: Flow): Promise<void> {
    reply(request, 100, 'Trying');
    const seen = await admitted(request, flow);
    if (!seen) return;
    const phone = registrar.all().find((one) => one.user === seen.user && one.flow.address === flow.address && one.flow.port === flow.port);
    if (!phone) return reply(request, 403, 'Register First');
    const companyId = seen.person.companies[0];
    const to = decodeURIComponent(sip.parseUri(request.uri)?.user ?? '');
    if (companyId === undefined || dialling.has(phone.device)) return reply(request, companyId === undefined ? 403 : 486, companyId === undefined ? 'Forbidden' : 'Busy Here');
    const contact = request.headers.contact;
    const dialog: Dialog = { leg: null, phone, callId: request.headers['call-id'], ours: tag(), theirs: request.headers.from.params['tag'] ?? '', target: Array.isArray(contact) ? (contact[0]?.uri ?? phone.contact) : phone.contact, seq: 1, peer: null, state: 'early', invite: request, ackSaid: null, taking: false, refuse: null };
    request.headers.to.params['tag'] = dialog.ours;
    const refuse = (status: number, reason = 'Terminated'): void => {
      if (dialog.state !== 'early') return;
      dialog.state = 'over';
      reply(request, status, reason);
      over(dialog);
    };
    dialog.refuse = refuse;
    dialogs.set(dialog.callId, dialog);
    dialling.set(phone.device, dialog);
    setTimeout(() => dialling.get(phone.device) === dialog && refuse(504, 'Not Placed'), placeMs).unref();
    const why = await options.place({ companyId, userId: seen.person.userId, device: phone.device, to }).catch(() => 'The call could not be placed.');
    if (why !== null) refuse(403, why.replace(/[^\x20-\x7e]/g, '').slice(0, 100));
    // The product may have rung and connected the phone already: nothing rings after an answer.
    else if (dialog.state === 'early') reply(request, 180, 'Ringing');
  }

  /** The product rings the phone for the call it placed: it has picked up already. */
  async function takeOwn(dialog: Dialog, leg: Leg, device: Device): Promise<void> {
    const request = dialog.invite;
    if (!request || isOver(dialog)) return;
    dialling.delete(dialog.phone.device);
    dialog.leg = leg;
    leg.claimed = true;
    try {
      let answer: string;
      if (dialog.phone.flow.protocol === 'WS') {
        dialog.peer = await webSound(dialog, request.content ?? '');
        answer = dialog.peer.sdp;
      } else {
        const rtp = await soundOf(dialog);
        const chosen = plug(rtp, request.content ?? '');
        dialog.peer = rtp;
        answer = sayMedia(host, rtp.port, [chosen], chosen.keys);
      }
      if (isOver(dialog)) return over(dialog);
      dialog.state = 'up';
      reply(request, 200, 'OK', { contact: contactOf(dialog.phone.flow), 'content-type': 'application/sdp' }, answer);
      leg.claimed = false;
      leg.peer = dialog.peer;
      exchange.answered(leg, device);
    } catch {
      leg.claimed = false;
      dialog.refuse?.(488);
      exchange.end(leg, 'failed', 'noSound');
    }
  }

  /** Hold and the like asked of us: the sound stays as it is. */
  function reinvite(request: Request): void {
    const dialog = dialogs.get(request.headers['call-id']);
    const media = readMedia(request.content ?? '');
    if (!dialog || dialog.state !== 'up') return reply(request, 481, 'Call Does Not Exist');
    const peer = dialog.peer as RtpPeer | null;
    if (!media || !peer || peer.sdp !== '') return reply(request, 488, 'Not Acceptable Here');
    const [law = { law: 'PCMU' as const, payload: 0 }] = media.laws;
    peer.plug({ host: media.host, port: media.port, ...law, keys: media.keys });
    reply(request, 200, 'OK', { contact: contactOf(dialog.phone.flow), 'content-type': 'application/sdp' }, sayMedia(host, peer.port, [law], media.keys));
  }

  // ---- sound and the end ----

  const listeners = (dialog: Dialog) => ({
    packet: (heard: Parameters<Leg['hearFarEnd']>[0]) => dialog.leg?.hearFarEnd(heard, performance.now()),
    key: (digit: string) => void (dialog.leg && exchange.pressed(dialog.leg, digit)),
    closed: () => void (dialog.leg && dialog.leg.peer === dialog.peer && exchange.end(dialog.leg, 'hangup', 'connectionLost')),
  });
  const soundOf = (dialog: Dialog): Promise<RtpPeer> => rtpPeer(bind, listeners(dialog), options.udpPorts);
  const webSound = (dialog: Dialog, offer: string): Promise<Peer> => answerOffer(offer, listeners(dialog), options.udpPorts);

  function plug(rtp: RtpPeer, sdp: string) {
    const media = readMedia(sdp);
    const [law] = media?.laws ?? [];
    if (!media || !law) throw new Error('The phone speaks no G.711.');
    rtp.plug({ host: media.host, port: media.port, ...law, keys: media.keys });
    return { ...law, keys: media.keys };
  }

  /** A request inside a call that stands. */
  function within(dialog: Dialog, method: string, seq: number, more: { content?: string } = {}): Request {
    const outgoing = dialog.refuse === null;
    const us = { uri: outgoing ? `sip:${dialog.leg?.from ?? 'exchange'}@${options.realm}` : (dialog.invite?.headers.to.uri ?? `sip:exchange@${options.realm}`), params: { tag: dialog.ours } };
    const them = { uri: `sip:${dialog.phone.user}@${options.realm}`, params: { tag: dialog.theirs } };
    return {
      method, uri: dialog.target,
      headers: { to: them, from: us, 'call-id': dialog.callId, cseq: { seq, method }, contact: contactOf(dialog.phone.flow), route: [{ uri: stack.encodeFlowUri(dialog.phone.flow) }], 'max-forwards': 70, via: [], ...(more.content ? { 'content-type': 'application/sdp' } : {}) } as Request['headers'],
      content: more.content ?? '',
    };
  }
  const ack = (dialog: Dialog, content = ''): void => {
    dialog.ackSaid = content;
    stack.send(within(dialog, 'ACK', 1, { content }));
  };

  /** The exchange's side is over: the phone is told in the way that fits. */
  function hangUp(dialog: Dialog): void {
    const { state } = dialog;
    if (state === 'over') return;
    dialog.state = 'over';
    if (state === 'up') stack.send(within(dialog, 'BYE', ++dialog.seq), () => undefined);
    else if (dialog.refuse && dialog.invite) reply(dialog.invite, 480, 'Temporarily Unavailable');
    else if (dialog.invite) {
      const { invite: asked } = dialog;
      stack.send({ method: 'CANCEL', uri: asked.uri, headers: { ...asked.headers, cseq: { seq: dialog.seq, method: 'CANCEL' }, via: asked.headers.via.slice(0, 1), route: [{ uri: stack.encodeFlowUri(dialog.phone.flow) }] } as Request['headers'], content: '' }, () => undefined);
    }
    over(dialog);
  }

  function over(dialog: Dialog): void {
    dialog.state = 'over';
    if (dialling.get(dialog.phone.device) === dialog) dialling.delete(dialog.phone.device);
    const { leg, peer } = dialog;
    dialogs.delete(dialog.callId);
    if (leg && leg.state !== 'ended' && leg.peer === peer && peer) exchange.end(leg, 'hangup', 'hangup');
    peer?.close();
  }

  return {
    async close() {
      phones.close();
      for (const dialog of [...dialogs.values()]) hangUp(dialog);
      lines?.close();
      // The package sends in a later turn, and would do so on a closed socket: what the phones are told now leaves first.
      await new Promise((resolve) => setTimeout(resolve, farewellMs));
      stack.destroy();
    },
  };
}

const isOver = (dialog: Dialog): boolean => dialog.state === 'over';
