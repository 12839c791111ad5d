/** Signalling for browsers: a joined page holds one streamed answer open (one JSON object a line) and posts what it does. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { emergencyRefusal, isEmergency, phoneNumber } from '../phone-number.ts';
import { readMediaToken } from '../token.ts';
import type { Device, Devices, Said } from './devices.ts';
import type { Exchange } from './exchange.ts';
import type { Leg } from './leg.ts';
import { answerOffer, type Heard, type Peer } from './peer.ts';

const pingEveryMs = 10_000;
/** A page whose stream is cut may come back (the web process restarts, a laptop changes networks). */
const mayReturnForMs = 60_000;
/** But a page that is also silent is gone: browsers send sound all the time. */
const silentForMs = 3000;

interface Verb {
  Params: { session: string };
}
/** What a page posts; a body of any other shape counts as empty, and is refused for what is missing. */
const Body = z
  .object({
    token: z.string(),
    resume: z.string().nullable(),
    leg: z.string(),
    sdp: z.string(),
    to: z.string().max(120),
    digits: z.string(),
    text: z.string(),
  })
  .partial()
  .catch({});

export function mediaHttp(
  app: FastifyInstance,
  exchange: Exchange,
  secret: string,
  udpPorts: [number, number] | undefined,
  publicAddress?: string,
  soundWithinMs?: number,
): void {
  const { devices } = exchange;

  app.post('/media/join', async (request, reply) => {
    const { token, resume } = Body.parse(request.body);
    const identity = readMediaToken(token ?? '', secret, Date.now());
    if (!identity) return reply.code(401).send({ message: 'The phone’s pass has expired.' });
    const device = devices.join(identity, resume ?? null);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const tell = (said: Said): void => void raw.write(`${JSON.stringify(said)}\n`);
    device.tell = tell;
    device.lostMs = null;
    tell({
      type: 'joined',
      session: device.session,
      ringing: [...device.lines].map(({ id }) => id),
    });
    for (const leg of device.lines)
      if (leg.state === 'ringing' && leg.direction === 'out') devices.ring(device, leg);
    exchange.ringLate(device);
    const ping = setInterval(() => tell({ type: 'ping' }), pingEveryMs);
    raw.on('error', () => undefined);
    raw.on('close', () => {
      clearInterval(ping);
      // A newer stream of the same page may have taken over already.
      if (device.tell !== tell) return;
      device.tell = null;
      device.lostMs = performance.now();
    });
    return reply;
  });

  const deviceOf = (session: string, reply: FastifyReply): Device | null => {
    const device = devices.get(session);
    if (!device) void reply.code(401).send({ message: 'The phone is not connected.' });
    return device;
  };
  /** A line this device may act on; else the refusal is sent. */
  const lineOf = (device: Device, id: string | undefined, reply: FastifyReply): Leg | null => {
    const leg = [...device.lines].find((line) => line.id === id);
    if (!leg)
      void reply.code(409).send({ message: 'This call is over, or was answered elsewhere.' });
    return leg ?? null;
  };

  /** Set up a device's sound. The leg is known only afterwards when the device dials, so it is looked up late. */
  const plug = (sdp: string, leg: () => Leg | null): Promise<Peer> =>
    answerOffer(
      sdp,
      {
        packet: (heard: Heard) => leg()?.hearFarEnd(heard, performance.now()),
        key: (digit) => withLeg(leg(), (one) => exchange.pressed(one, digit)),
        closed: () => withLeg(leg(), (one) => exchange.end(one, 'hangup', 'connectionLost')),
      },
      udpPorts,
      publicAddress,
      soundWithinMs,
    );

  app.post<Verb>('/media/:session/dial', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    if (!device) return reply;
    const { to = '', sdp = '' } = Body.parse(request.body);
    if (device.identity.kind !== 'handset')
      return reply
        .code(403)
        .send({ message: 'Calls from the app are placed through the product.' });
    if (isEmergency(to)) return reply.code(422).send({ message: emergencyRefusal });
    const called = phoneNumber(to);
    if (called === null) return reply.code(422).send({ message: 'That is not a phone number.' });
    let leg: Leg | null = null;
    const peer = await plug(sdp, () => leg).catch(() => null);
    if (!peer) return reply.code(422).send({ message: 'The browser’s sound could not be set up.' });
    leg = exchange.callIn(device.identity.number, called, { device, peer });
    if (leg.state === 'ended') return reply.code(409).send({ message: 'All lines are busy.' });
    return { leg: leg.id, from: leg.from, to: leg.to, sdp: peer.sdp };
  });

  app.post<Verb>('/media/:session/answer', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    const leg = device && lineOf(device, Body.parse(request.body).leg, reply);
    if (!device || !leg) return reply;
    if (leg.state !== 'ringing' || leg.direction !== 'out' || leg.claimed)
      return reply.code(409).send({ message: 'This call was answered elsewhere.' });
    // Taken before the sound is ready, so that of two devices only one gets it.
    leg.claimed = true;
    let taken: Leg | null = null;
    const peer = await plug(Body.parse(request.body).sdp ?? '', () => taken).catch(() => null);
    if (!peer || !stillRings(leg)) {
      leg.claimed = false;
      peer?.close();
      if (peer) return reply.code(409).send({ message: 'The caller has hung up.' });
      return reply.code(422).send({ message: 'The browser’s sound could not be set up.' });
    }
    taken = leg;
    leg.peer = peer;
    exchange.answered(leg, device);
    return { sdp: peer.sdp };
  });

  app.post<Verb>('/media/:session/:verb', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    const leg = device && lineOf(device, Body.parse(request.body).leg, reply);
    if (!device || !leg) return reply;
    const { verb } = request.params as unknown as { verb: string };
    const mine = leg.direction === 'in' || (leg.state === 'answered' && leg.heldBy === device);
    if (verb === 'reject' || (verb === 'hangup' && leg.state === 'ringing' && !mine))
      exchange.end(leg, 'declined', 'declined');
    else if (!mine) return reply.code(409).send({ message: 'This call is not answered here.' });
    else if (verb === 'hangup') exchange.end(leg, 'hangup', 'hangup');
    else if (verb === 'keys') exchange.pressed(leg, Body.parse(request.body).digits ?? '');
    else if (verb === 'speak') void exchange.speak(leg, Body.parse(request.body).text ?? '');
    else return reply.code(404).send({ message: 'There is no such act.' });
    return {};
  });
}

/** Asked again after waiting: the caller may have hung up meanwhile. */
const stillRings = (leg: Leg): boolean => leg.state === 'ringing';

const withLeg = (leg: Leg | null, act: (leg: Leg) => void): void => {
  if (leg) act(leg);
};

/** Every second: hang up the lines of pages that are gone. */
export function sweepDevices(devices: Devices, exchange: Exchange, nowMs: number): void {
  for (const device of devices.all()) {
    if (device.lostMs === null) continue;
    const lostForMs = nowMs - device.lostMs;
    const own = [...device.lines].filter((leg) => leg.heldBy === device);
    const silent = own.every((leg) => nowMs - (leg.peer?.lastHeardMs() ?? 0) > silentForMs);
    if (lostForMs < silentForMs || (!silent && lostForMs < mayReturnForMs)) continue;
    for (const leg of own) exchange.end(leg, 'hangup', 'connectionLost');
    if (own.length === 0 || lostForMs > mayReturnForMs) devices.forget(device);
  }
}
