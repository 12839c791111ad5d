/** Signalling for browsers: a joined page holds one streamed answer open (one JSON object a line) and posts what it does. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { emergencyMessage, isEmergency, toE164 } from '../adapters/sandbox/phone-number.ts';
import { readMediaToken } from '../adapters/sandbox/media-token.ts';
import type { Device, Devices, DeviceMessage } from './devices.ts';
import type { Exchange } from './exchange.ts';
import type { Leg } from './leg.ts';
import { answerOffer, type ReceivedPacket, type Peer } from './peer.ts';

const pingEveryMs = 10_000;
/** A page whose stream is cut may come back (the web process restarts, a laptop changes networks). */
const reconnectWindowMs = 60_000;
/** But a page that is also silent is gone: browsers send sound all the time. */
const silenceTimeoutMs = 3000;

interface SessionRoute {
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
  audioTimeoutMs?: number,
): void {
  const { devices } = exchange;

  app.post('/media/join', async (request, reply) => {
    const { token, resume } = Body.parse(request.body);
    const identity = readMediaToken(token ?? '', secret, Date.now());
    if (!identity) return reply.code(401).send({ message: 'The phone’s token has expired.' });
    const device = devices.join(identity, resume ?? null);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const tell = (message: DeviceMessage): void => void raw.write(`${JSON.stringify(message)}\n`);
    device.send = tell;
    device.lostMs = null;
    tell({
      type: 'joined',
      session: device.session,
      ringing: [...device.legs].map(({ id }) => id),
    });
    for (const leg of device.legs)
      if (leg.state === 'ringing' && leg.direction === 'out') devices.ring(device, leg);
    exchange.ringNewDevice(device);
    const ping = setInterval(() => tell({ type: 'ping' }), pingEveryMs);
    raw.on('error', () => undefined);
    raw.on('close', () => {
      clearInterval(ping);
      // A newer stream of the same page may have taken over already.
      if (device.send !== tell) return;
      device.send = null;
      device.lostMs = performance.now();
    });
    return reply;
  });

  const deviceOf = (session: string, reply: FastifyReply): Device | null => {
    const device = devices.get(session);
    if (!device) void reply.code(401).send({ message: 'The phone isn’t connected.' });
    return device;
  };
  /** A line this device may act on; else the refusal is sent. */
  const legOf = (device: Device, id: string | undefined, reply: FastifyReply): Leg | null => {
    const leg = [...device.legs].find((line) => line.id === id);
    if (!leg)
      void reply.code(409).send({ message: 'This call has ended, or was answered elsewhere.' });
    return leg ?? null;
  };

  /** Set up a device's sound. The leg is known only afterwards when the device dials, so it is looked up late. */
  const connectAudio = (sdp: string, leg: () => Leg | null): Promise<Peer> =>
    answerOffer(
      sdp,
      {
        packet: (packet: ReceivedPacket) => leg()?.receiveAudio(packet, performance.now()),
        key: (digit) => withLeg(leg(), (one) => exchange.receiveDigits(one, digit)),
        closed: () => withLeg(leg(), (one) => exchange.end(one, 'hangup', 'connectionLost')),
      },
      udpPorts,
      publicAddress,
      audioTimeoutMs,
    );

  app.post<SessionRoute>('/media/:session/dial', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    if (!device) return reply;
    const { to = '', sdp = '' } = Body.parse(request.body);
    if (device.identity.kind !== 'handset')
      return reply
        .code(403)
        .send({ message: 'Calls from the app are placed through the app server.' });
    if (isEmergency(to)) return reply.code(422).send({ message: emergencyMessage });
    const called = toE164(to);
    if (called === null) return reply.code(422).send({ message: 'This isn’t a phone number.' });
    let leg: Leg | null = null;
    const peer = await connectAudio(sdp, () => leg).catch(() => null);
    if (!peer) return reply.code(422).send({ message: 'The browser’s audio couldn’t be set up.' });
    leg = exchange.receiveCall(device.identity.number, called, { device, peer });
    if (leg.state === 'ended') return reply.code(409).send({ message: 'All lines are busy.' });
    return { leg: leg.id, from: leg.from, to: leg.to, sdp: peer.sdp };
  });

  app.post<SessionRoute>('/media/:session/answer', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    const leg = device && legOf(device, Body.parse(request.body).leg, reply);
    if (!device || !leg) return reply;
    if (leg.state !== 'ringing' || leg.direction !== 'out' || leg.claimed)
      return reply.code(409).send({ message: 'This call was answered elsewhere.' });
    // Taken before the sound is ready, so that of two devices only one gets it.
    leg.claimed = true;
    let taken: Leg | null = null;
    const peer = await connectAudio(Body.parse(request.body).sdp ?? '', () => taken).catch(
      () => null,
    );
    if (!peer || !isRinging(leg)) {
      leg.claimed = false;
      peer?.close();
      if (peer) return reply.code(409).send({ message: 'The caller has hung up.' });
      return reply.code(422).send({ message: 'The browser’s audio couldn’t be set up.' });
    }
    taken = leg;
    leg.peer = peer;
    exchange.answer(leg, device);
    return { sdp: peer.sdp };
  });

  app.post<SessionRoute>('/media/:session/:verb', async (request, reply) => {
    const device = deviceOf(request.params.session, reply);
    const leg = device && legOf(device, Body.parse(request.body).leg, reply);
    if (!device || !leg) return reply;
    const { verb } = request.params as unknown as { verb: string };
    const mine = leg.direction === 'in' || (leg.state === 'answered' && leg.device === device);
    if (verb === 'reject' || (verb === 'hangup' && leg.state === 'ringing' && !mine))
      exchange.end(leg, 'declined', 'declined');
    else if (!mine) return reply.code(409).send({ message: 'This call can’t be answered here.' });
    else if (verb === 'hangup') exchange.end(leg, 'hangup', 'hangup');
    else if (verb === 'keys') exchange.receiveDigits(leg, Body.parse(request.body).digits ?? '');
    else if (verb === 'speak') void exchange.speak(leg, Body.parse(request.body).text ?? '');
    else return reply.code(404).send({ message: 'Unknown action.' });
    return {};
  });
}

/** Asked again after waiting: the caller may have hung up meanwhile. */
const isRinging = (leg: Leg): boolean => leg.state === 'ringing';

const withLeg = (leg: Leg | null, act: (leg: Leg) => void): void => {
  if (leg) act(leg);
};

/** Every second: hang up the lines of pages that are gone. */
export function sweepDevices(devices: Devices, exchange: Exchange, nowMs: number): void {
  for (const device of devices.all()) {
    if (device.lostMs === null) continue;
    const lostForMs = nowMs - device.lostMs;
    const own = [...device.legs].filter((leg) => leg.device === device);
    const silent = own.every((leg) => nowMs - (leg.peer?.lastReceivedMs() ?? 0) > silenceTimeoutMs);
    if (lostForMs < silenceTimeoutMs || (!silent && lostForMs < reconnectWindowMs)) continue;
    for (const leg of own) exchange.end(leg, 'hangup', 'connectionLost');
    if (own.length === 0 || lostForMs > reconnectWindowMs) devices.remove(device);
  }
}
