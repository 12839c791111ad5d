/**
 * Signaling for browsers: a joined page holds one streamed response open (one JSON object a line)
 * and posts what its user does.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { emergencyMessage, isEmergency, readSender, toE164 } from './phone-number.ts';
import { readMediaToken } from './media-token.ts';
import type { Device, DeviceMessage } from './devices.ts';
import type { Exchange } from './exchange.ts';
import type { Leg } from './leg.ts';
import { answerOffer, type ReceivedPacket, type Peer } from './peer.ts';

const pingEveryMs = 10_000;

interface SessionRoute {
  Params: { session: string };
}
interface VerbRoute {
  Params: { session: string; verb: string };
}

interface MediaOptions {
  /** Signs media tokens. */
  secret: string;
  /** First and last UDP port; any free one when left out. */
  udpPorts?: [number, number] | undefined;
  /** See `answerOffer`. */
  publicAddress?: string | undefined;
  /** How long a browser's audio may take to connect; 10 s when left out. */
  audioTimeoutMs?: number | undefined;
}
/**
 * The body of every request. One of another shape counts as empty and is refused for what is
 * missing.
 */
const Body = z
  .object({
    token: z.string(),
    resume: z.string().nullable(),
    leg: z.string(),
    sdp: z.string(),
    to: z.string().max(120),
    /** What the called side sees instead of the phone's number. */
    shownAs: z.string().max(40),
    digits: z.string(),
    text: z.string(),
  })
  .partial()
  .catch({});

/** The HTTP API of browsers: a page joins with a token, then posts what its user does. */
export function mediaHttp(app: FastifyInstance, exchange: Exchange, options: MediaOptions): void {
  const routes = new MediaRoutes(exchange, options);
  app.post('/media/join', (request, reply) => routes.join(request, reply));
  app.post<SessionRoute>('/media/:session/dial', (request, reply) => routes.dial(request, reply));
  app.post<SessionRoute>('/media/:session/answer', (request, reply) =>
    routes.answer(request, reply),
  );
  app.post<VerbRoute>('/media/:session/:verb', (request, reply) => routes.act(request, reply));
}

class MediaRoutes {
  constructor(
    private readonly exchange: Exchange,
    private readonly options: MediaOptions,
  ) {}

  async join(request: FastifyRequest, reply: FastifyReply) {
    const { token, resume } = Body.parse(request.body);
    const identity = readMediaToken(token ?? '', this.options.secret, Date.now());
    if (!identity) return reply.code(401).send({ message: 'The phone’s token has expired.' });
    const { devices } = this.exchange;
    const device = devices.join(identity, resume ?? null);
    reply.hijack();
    const send = openStream(reply.raw, device);
    const ringing = [...device.legs].map(({ id }) => id);
    send({ type: 'joined', session: device.session, ringing });
    for (const leg of device.legs)
      if (leg.state === 'ringing' && leg.direction === 'out') devices.ring(device, leg);
    this.exchange.ringNewDevice(device);
    return reply;
  }

  async dial(request: FastifyRequest<SessionRoute>, reply: FastifyReply) {
    const device = this.#deviceOf(request, reply);
    if (!device) return reply;
    const { to = '', sdp = '', shownAs = '' } = Body.parse(request.body);
    if (device.identity.kind !== 'handset')
      return reply
        .code(403)
        .send({ message: 'Calls from the app are placed through the app server.' });
    if (isEmergency(to)) return reply.code(422).send({ message: emergencyMessage });
    const called = toE164(to);
    if (called === null) return reply.code(422).send({ message: 'This isn’t a phone number.' });
    // The leg exists only once the audio is connected.
    let leg: Leg | null = null;
    const peer = await this.#connectAudio(sdp, () => leg);
    if (!peer) return reply.code(422).send({ message: 'The browser’s audio couldn’t be set up.' });
    const from = shownAs === '' ? device.identity.number : (readSender(shownAs) ?? 'anonymous');
    leg = this.exchange.receiveCall(from, called, { device, peer });
    if (leg.state === 'ended') return reply.code(409).send({ message: 'All lines are busy.' });
    return { leg: leg.id, from: leg.from, to: leg.to, sdp: peer.sdp };
  }

  async answer(request: FastifyRequest<SessionRoute>, reply: FastifyReply) {
    const device = this.#deviceOf(request, reply);
    const leg = device && legOf(device, request, reply);
    if (!device || !leg) return reply;
    if (leg.state !== 'ringing' || leg.direction !== 'out' || leg.claimed)
      return reply.code(409).send({ message: 'This call was answered elsewhere.' });
    // Claimed before the audio is connected, so that only one of two devices gets the call.
    leg.claimed = true;
    let answered: Leg | null = null;
    const peer = await this.#connectAudio(Body.parse(request.body).sdp ?? '', () => answered);
    if (!peer || !isRinging(leg)) {
      leg.claimed = false;
      peer?.close();
      if (peer) return reply.code(409).send({ message: 'The caller has hung up.' });
      return reply.code(422).send({ message: 'The browser’s audio couldn’t be set up.' });
    }
    answered = leg;
    leg.peer = peer;
    this.exchange.answer(leg, device);
    return { sdp: peer.sdp };
  }

  /** Reject, hang up, press keys, or speak a text. */
  async act(request: FastifyRequest<VerbRoute>, reply: FastifyReply) {
    const { exchange } = this;
    const device = this.#deviceOf(request, reply);
    const leg = device && legOf(device, request, reply);
    if (!device || !leg) return reply;
    const { verb } = request.params;
    const isOurs = leg.direction === 'in' || (leg.state === 'answered' && leg.device === device);
    const declines = verb === 'hangup' && leg.state === 'ringing' && !isOurs;
    const { digits = '', text = '' } = Body.parse(request.body);
    if (verb === 'reject' || declines) exchange.end(leg, 'declined', 'declined');
    else if (!isOurs) return reply.code(409).send({ message: 'This call can’t be answered here.' });
    else if (verb === 'hangup') exchange.end(leg, 'hangup', 'hangup');
    else if (verb === 'keys') exchange.receiveDigits(leg, digits);
    else if (verb === 'speak') void exchange.speech.speak(leg, text);
    else return reply.code(404).send({ message: 'Unknown action.' });
    return {};
  }

  /** The device of this session; null when there is none, and the refusal was sent. */
  #deviceOf(request: FastifyRequest<SessionRoute>, reply: FastifyReply): Device | null {
    const device = this.exchange.devices.get(request.params.session);
    if (!device) void reply.code(401).send({ message: 'The phone isn’t connected.' });
    return device;
  }

  /**
   * Null when it fails. `leg` is called for every packet, because a dialing device has no leg yet.
   */
  async #connectAudio(sdp: string, leg: () => Leg | null): Promise<Peer | null> {
    const { exchange } = this;
    const withLeg = (act: (leg: Leg) => void): void => {
      const current = leg();
      if (current) act(current);
    };
    const listeners = {
      packet: (packet: ReceivedPacket) => leg()?.receiveAudio(packet, performance.now()),
      key: (digit: string) => withLeg((current) => exchange.receiveDigits(current, digit)),
      closed: () => withLeg((current) => exchange.end(current, 'hangup', 'connectionLost')),
    };
    const { udpPorts, publicAddress, audioTimeoutMs } = this.options;
    return answerOffer(sdp, listeners, udpPorts, publicAddress, audioTimeoutMs).catch(() => null);
  }
}

/**
 * Starts the streamed response of a joined page and connects the device to it. Returns what sends
 * on it.
 */
function openStream(raw: ServerResponse, device: Device): (message: DeviceMessage) => void {
  raw.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const send = (message: DeviceMessage): void => void raw.write(`${JSON.stringify(message)}\n`);
  device.send = send;
  device.lostMs = null;
  const ping = setInterval(() => send({ type: 'ping' }), pingEveryMs);
  raw.on('error', () => undefined);
  raw.on('close', () => {
    clearInterval(ping);
    // A newer stream of the same page may have taken over already.
    if (device.send !== send) return;
    device.send = null;
    device.lostMs = performance.now();
  });
  return send;
}

/**
 * The leg of this device that the request names; null when there is none, and the refusal was sent.
 */
function legOf(device: Device, request: FastifyRequest, reply: FastifyReply): Leg | null {
  const { leg: id } = Body.parse(request.body);
  const leg = [...device.legs].find((one) => one.id === id);
  if (!leg)
    void reply.code(409).send({ message: 'This call has ended, or was answered elsewhere.' });
  return leg ?? null;
}

/** A function, so that TypeScript does not narrow the state across an await. */
const isRinging = (leg: Leg): boolean => leg.state === 'ringing';
