/**
 * Lines: a carrier dials our exchange for one call, `sip:<token>@…`, with G.711 over RTP. Nobody registers for it: the token
 * is all it may come in by, once. It rings until the product picks it up, and is joined to somebody's browser then.
 */
import { randomBytes } from 'node:crypto';
import sip, { type Flow, type Request, type Stack } from 'sip';
import { looksLikeLineToken } from '../../../../platform/one-time-line.ts';
import type { Device } from '../devices.ts';
import type { Exchange } from '../exchange.ts';
import type { Leg } from '../leg.ts';
import { rtpPeer, type RtpPeer } from './rtp-peer.ts';
import { readMedia, sayMedia, type Media } from './sdp.ts';

export interface LineOptions {
  /** Where carriers reach us: in our Contact, and (its `address`) where their sound comes in. */
  at: { host: string; port: number; address: string };
  /** Who may come in by this token: whom it calls, and for whom. null: nobody. */
  admit: (token: string) => Promise<{ from: string; to: string } | null>;
}
interface Shared { stack: Stack; /** The address sound is taken at. */ bind: string; udpPorts?: [number, number] | undefined; log: (message: string, detail?: object) => void }

/** One line, from its INVITE to its BYE. */
interface Line { invite: Request; flow: Flow; media: Media; ours: string; seq: number; state: 'early' | 'up' | 'over'; leg: Leg | null; device: Device | null; peer: RtpPeer | null; acked: boolean }

/** Our "200 OK" is said again until it was heard: after half a second, then twice as long each time, up to this. */
const saidAgainMs = 16_000;
/** What a line that ended before it was picked up is answered with. */
const statusOf: Readonly<Record<string, [number, string]>> = { busy: [486, 'Busy Here'], notInService: [404, 'Not Found'], noAnswer: [408, 'Request Timeout'] };

export function openLines(exchange: Exchange, { at, admit }: LineOptions, { stack, bind, udpPorts, log }: Shared) {
  const lines = new Map<string, Line>();
  const contact = [{ uri: `sip:line@${at.host}:${at.port}`, params: {} }];
  const reply = (request: Request, status: number, reason: string, content?: string): void => {
    const route = request.headers['record-route'];
    const dialog = request.method === 'INVITE' && status > 100 && status < 300 ? { contact, ...(route ? { 'record-route': route } : {}) } : {};
    stack.send(sip.makeResponse(request, status, reason, { headers: { ...dialog, ...(content === undefined ? {} : { 'content-type': 'application/sdp' }) }, ...(content === undefined ? {} : { content }) }));
  };

  /** True when this request is about a line (or wants to be one): it is answered here. */
  function hears(request: Request, flow: Flow): boolean {
    const line = lines.get(request.headers['call-id']);
    if (line) within(line, request);
    else if (request.method === 'INVITE' && !request.headers.to.params['tag'] && looksLikeLineToken(userOf(request))) void comes(request, flow);
    else return false;
    return true;
  }

  async function comes(invite: Request, flow: Flow): Promise<void> {
    const media = readMedia(invite.content ?? '');
    // Looked at before the token is used up.
    if (!media) return reply(invite, 488, 'Not Acceptable Here');
    reply(invite, 100, 'Trying');
    const line: Line = { invite, flow, media, ours: randomBytes(6).toString('hex'), seq: 0, state: 'early', leg: null, device: null, peer: null, acked: false };
    const id = invite.headers['call-id'];
    lines.set(id, line);
    try {
      const who = await admit(userOf(invite));
      invite.headers.to.params['tag'] = line.ours;
      if (gone(line)) return;
      if (!who) return refuse(line, 403, 'Forbidden');
      line.peer = await rtpPeer(bind, {
        packet: (heard) => line.leg?.hearFarEnd(heard, performance.now()),
        key: (digit) => void (line.leg && exchange.pressed(line.leg, digit)),
        closed: () => undefined,
      }, udpPorts);
      if (gone(line)) return line.peer.close();
      line.peer.plug(pluggedTo(media));
      line.device = exchange.devices.join({ kind: 'handset', number: who.to, device: id }, null);
      line.device.tell = (said) => {
        if (said.type === 'answered') pickUp(line);
        else if (said.type === 'ended') leave(line, said.because);
      };
      reply(invite, 180, 'Ringing');
      line.leg = exchange.callIn(who.from, who.to, { device: line.device, line: true });
    } catch (trouble) {
      log('A line could not be taken', { because: String(trouble) });
      refuse(line, 500, 'Server Error');
    }
  }

  function within(line: Line, request: Request): void {
    switch (request.method) {
      case 'ACK':
        line.acked = true;
        return;
      case 'BYE':
        reply(request, 200, 'OK');
        return over(line, 'hangup');
      case 'CANCEL':
        reply(request, 200, 'OK');
        if (line.state === 'early') refuse(line, 487, 'Request Terminated');
        return;
      case 'INVITE': {
        // Asked anew within the call, for a hold or because the call has lasted: the sound may move, the line stays.
        const media = readMedia(request.content ?? '');
        if (line.state !== 'up' || !line.peer) return reply(request, line.state === 'early' ? 482 : 481, line.state === 'early' ? 'Loop Detected' : 'Call Does Not Exist');
        if (request.content && !media) return reply(request, 488, 'Not Acceptable Here');
        if (media) line.peer.plug(pluggedTo((line.media = media)));
        return reply(request, 200, 'OK', answerFor(line, line.peer));
      }
      case 'OPTIONS':
        return reply(request, 200, 'OK');
      default:
        return reply(request, 405, 'Method Not Allowed');
    }
  }

  const answerFor = ({ media }: Line, peer: RtpPeer): string => sayMedia(at.address, peer.port, media.laws.slice(0, 1), media.keys);

  function pickUp(line: Line): void {
    const { leg, peer } = line;
    if (line.state !== 'early' || !leg || !peer) return;
    line.state = 'up';
    leg.peer = peer;
    const say = (afterMs: number): void => {
      if (line.acked || gone(line)) return;
      reply(line.invite, 200, 'OK', answerFor(line, peer));
      if (afterMs <= saidAgainMs) setTimeout(say, afterMs, afterMs * 2).unref();
      else hangUp(line);
    };
    say(500);
  }

  /** The exchange's side is over. */
  function leave(line: Line, because: string): void {
    if (line.state === 'up') hangUp(line);
    else if (line.state === 'early') refuse(line, ...(statusOf[because] ?? ([480, 'Temporarily Unavailable'] as const)));
  }
  function hangUp(line: Line): void {
    if (gone(line)) return;
    const { invite, flow } = line;
    const to = invite.headers.contact;
    const route = [{ uri: stack.encodeFlowUri(flow) }, ...(invite.headers['record-route'] ?? [])];
    stack.send({
      method: 'BYE', uri: (Array.isArray(to) ? to[0]?.uri : undefined) ?? invite.headers.from.uri,
      headers: { to: invite.headers.from, from: invite.headers.to, 'call-id': invite.headers['call-id'], cseq: { seq: ++line.seq, method: 'BYE' }, contact, route, 'max-forwards': 70, via: [] } as Request['headers'], content: '',
    }, () => undefined);
    over(line, 'hangup');
  }
  function refuse(line: Line, status: number, reason: string): void {
    if (gone(line)) return;
    reply(line.invite, status, reason);
    over(line, 'cancelled');
  }
  function over(line: Line, cause: 'hangup' | 'cancelled'): void {
    if (gone(line)) return;
    line.state = 'over';
    lines.delete(line.invite.headers['call-id']);
    if (line.leg) exchange.end(line.leg, cause, cause);
    if (line.device) exchange.devices.forget(line.device);
    line.peer?.close();
  }

  return { hears, close: () => { for (const line of [...lines.values()]) leave(line, 'failed'); } };
}

const userOf = (request: Request): string => sip.parseUri(request.uri)?.user ?? '';
const gone = (line: Line): boolean => line.state === 'over';
const pluggedTo = ({ host, port, laws: [law = { law: 'PCMU' as const, payload: 0 }], keys }: Media) => ({ host, port, ...law, keys });
