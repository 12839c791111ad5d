/**
 * Scripted outside phones: everything a handset can do, as plain HTTP. The web process proxies
 * `/sandbox/…` to here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { emergencyMessage, isEmergency, readSender, toE164 } from './phone-number.ts';
import { requireSecret } from './control-http.ts';
import type { Exchange } from './exchange.ts';
import type { Leg } from './leg.ts';

/** Strings and numbers as text; anything else is empty. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface ById {
  Params: { id: string };
  Body: Record<string, unknown> | null;
}

/** What goes on at the far end of a call. `ringing` only while another phone rings for it. */
type FarEndActivity =
  | 'calling'
  | 'menu'
  | 'greeting'
  | 'ringing'
  | 'hold'
  | 'voicemail'
  | 'talking'
  | 'waiting'
  | 'ended';

/**
 * The routes `/sandbox/calls`, `/sandbox/phones` and `/sandbox/legs`. They require the shared
 * secret.
 */
export function scriptedPhonesHttp(app: FastifyInstance, exchange: Exchange, secret: string): void {
  const onRequest = requireSecret(secret);
  callRoutes(app, exchange, onRequest);
  ringingLegRoutes(app, exchange, onRequest);
  const hangup = async (request: FastifyRequest<ById>, reply: FastifyReply): Promise<unknown> => {
    const leg = findLeg(exchange, request, reply);
    if (!leg) return reply;
    const declines = leg.direction === 'out' && leg.state === 'ringing';
    exchange.end(leg, declines ? 'declined' : 'hangup', 'hangup');
    return presentLeg(leg);
  };
  app.post<ById>('/sandbox/calls/:id/hangup', { onRequest }, hangup);
  app.post<ById>('/sandbox/legs/:id/hangup', { onRequest }, hangup);
}

type RequestHook = ReturnType<typeof requireSecret>;

/** Calls that an outside phone places. */
function callRoutes(app: FastifyInstance, exchange: Exchange, onRequest: RequestHook): void {
  app.post<{ Body: Record<string, unknown> | null }>(
    '/sandbox/calls',
    { onRequest },
    async (request, reply) => placeCall(exchange, request.body ?? {}, reply),
  );

  app.get<ById>('/sandbox/calls/:id', { onRequest }, async (request, reply) => {
    const leg = findLeg(exchange, request, reply);
    if (!leg) return reply;
    const { state, speaking, heard, endedBecause } = leg;
    return { state, doing: activityOf(leg, exchange), speaking, heard, endedBecause };
  });

  app.post<ById>('/sandbox/calls/:id/keys', { onRequest }, async (request, reply) => {
    const leg = findLeg(exchange, request, reply, 'answered');
    if (!leg) return reply;
    const digits = textOf(request.body?.['digits']);
    if (!/^[0-9*#]+$/.test(digits))
      return reply
        .code(422)
        .send({ message: 'Keys are 0-9, * and #.', errors: { digits: ['Invalid keys.'] } });
    exchange.receiveDigits(leg, digits);
    return presentLeg(leg);
  });

  app.post<ById>('/sandbox/calls/:id/speak', { onRequest }, async (request, reply) => {
    const leg = findLeg(exchange, request, reply, 'ringing', 'answered');
    if (!leg) return reply;
    void exchange.speech.speak(leg, textOf(request.body?.['speech']));
    return presentLeg(leg);
  });
}

function placeCall(
  exchange: Exchange,
  { from, to, speech }: Record<string, unknown>,
  reply: FastifyReply,
): FastifyReply {
  if (isEmergency(textOf(to)))
    return reply.code(422).send({ message: emergencyMessage, errors: { to: [emergencyMessage] } });
  const caller = readSender(textOf(from));
  const called = toE164(textOf(to));
  if (caller === null || called === null) {
    const fault = ['This isn’t a phone number.'];
    return reply.code(422).send({
      message: 'Send both phone numbers.',
      errors: { ...(caller ? {} : { from: fault }), ...(called ? {} : { to: fault }) },
    });
  }
  const leg = exchange.receiveCall(caller, called, { speech: textOf(speech) || undefined });
  return reply.code(201).send(presentLeg(leg));
}

/** Legs that ring an outside phone. */
function ringingLegRoutes(app: FastifyInstance, exchange: Exchange, onRequest: RequestHook): void {
  app.get<{ Params: { number: string } }>(
    '/sandbox/phones/:number/ringing',
    { onRequest },
    async (request) => {
      const number = toE164(request.params.number) ?? request.params.number;
      return [...exchange.legs.values()]
        .filter(({ state, direction, farEnd }) => {
          const isRinging = state === 'ringing' && direction === 'out';
          return isRinging && farEnd.kind === 'phone' && farEnd.number === number;
        })
        .map((leg) => ({
          id: leg.id,
          from: exchange.legs.get(leg.call)?.from ?? leg.from,
          callerIdShown: leg.from,
        }));
    },
  );

  app.post<ById>('/sandbox/legs/:id/answer', { onRequest }, async (request, reply) => {
    const leg = findLeg(exchange, request, reply, 'ringing');
    if (!leg) return reply;
    if (leg.direction === 'in' || leg.claimed)
      return reply.code(409).send({ message: 'This leg isn’t ringing here.' });
    leg.pendingSpeech = textOf(request.body?.['speech']) || null;
    exchange.answer(leg);
    // Buffered until the confirm key is asked for.
    exchange.receiveDigits(leg, textOf(request.body?.['keys']));
    return presentLeg(leg);
  });

  app.post<ById>('/sandbox/legs/:id/reject', { onRequest }, async (request, reply) => {
    const leg = findLeg(exchange, request, reply, 'ringing');
    if (!leg) return reply;
    exchange.end(leg, 'declined', 'declined');
    return presentLeg(leg);
  });
}

const presentLeg = (leg: Leg) => ({ data: { id: leg.id, state: leg.state } });

/**
 * An outside phone's leg in one of these states (any when none is given); null when the refusal was
 * sent.
 */
function findLeg(
  exchange: Exchange,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  ...states: Leg['state'][]
): Leg | null {
  const leg = exchange.legs.get(request.params.id);
  if (!leg || leg.farEnd.kind !== 'phone')
    void reply.code(404).send({ message: 'There’s no such call.' });
  else if (states.length > 0 && !states.includes(leg.state))
    void reply.code(409).send({ message: `The call is ${leg.state}.` });
  else return leg;
  return null;
}

function activityOf(leg: Leg, exchange: Exchange): FarEndActivity {
  if (leg.state === 'ended') return 'ended';
  if (leg.onKey) return 'menu';
  if (exchange.recordings.isLeavingVoicemail(leg)) return 'voicemail';
  if (leg.playing) return 'greeting';
  if (leg.held && leg.held.musicId !== null) return 'hold';
  if (leg.partner || leg.room) return 'talking';
  const otherRings = [...exchange.legs.values()].some(
    (one) => one.direction === 'out' && one.call === leg.call && one.state === 'ringing',
  );
  if (otherRings && leg.direction === 'in') return 'ringing';
  return leg.state === 'ringing' ? 'calling' : 'waiting';
}
