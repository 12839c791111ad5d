/** Scripted outside phones: everything a handset can do, as plain HTTP. The web process hands `/sandbox/…` on to here. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { emergencyMessage, isEmergency, toE164 } from '../adapters/sandbox/phone-number.ts';
import { requireSecret } from './control-http.ts';
import type { Exchange } from './exchange.ts';
import type { Leg } from './leg.ts';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export function scriptedPhonesHttp(app: FastifyInstance, exchange: Exchange, secret: string): void {
  const onRequest = requireSecret(secret);
  type ById = { Params: { id: string }; Body: Record<string, unknown> | null };

  /** What goes on at the far end of a call: `ringing` only while somebody's phone rings. */
  const doing = (
    leg: Leg,
  ):
    | 'calling'
    | 'menu'
    | 'greeting'
    | 'ringing'
    | 'hold'
    | 'voicemail'
    | 'talking'
    | 'waiting'
    | 'ended' => {
    if (leg.state === 'ended') return 'ended';
    if (leg.onKey) return 'menu';
    if (exchange.recordings.isLeavingVoicemail(leg)) return 'voicemail';
    if (leg.playing) return 'greeting';
    if (leg.held && leg.held.musicId !== null) return 'hold';
    if (leg.partner || leg.room) return 'talking';
    const rings = [...exchange.legs.values()].some(
      (one) => one.direction === 'out' && one.call === leg.call && one.state === 'ringing',
    );
    if (rings && leg.direction === 'in') return 'ringing';
    return leg.state === 'ringing' ? 'calling' : 'waiting';
  };

  /** The leg at this outside phone, in one of these states; else the refusal is sent. */
  const legAt = (id: string, reply: FastifyReply, ...states: Leg['state'][]): Leg | null => {
    const leg = exchange.legs.get(id);
    if (!leg || leg.farEnd.kind !== 'phone')
      void reply.code(404).send({ message: 'There’s no such call.' });
    else if (states.length > 0 && !states.includes(leg.state))
      void reply.code(409).send({ message: `The call is ${leg.state}.` });
    else return leg;
    return null;
  };

  app.post<{ Body: Record<string, unknown> | null }>(
    '/sandbox/calls',
    { onRequest },
    async (request, reply) => {
      const { from, to, speech } = request.body ?? {};
      if (isEmergency(textOf(to)))
        return reply
          .code(422)
          .send({ message: emergencyMessage, errors: { to: [emergencyMessage] } });
      const caller = /^(anonymous|withheld)$/i.test(textOf(from).trim())
        ? 'anonymous'
        : toE164(textOf(from));
      const called = toE164(textOf(to));
      if (caller === null || called === null) {
        const wrong = ['This isn’t a phone number.'];
        return reply.code(422).send({
          message: 'Send both phone numbers.',
          errors: { ...(caller ? {} : { from: wrong }), ...(called ? {} : { to: wrong }) },
        });
      }
      const leg = exchange.receiveCall(caller, called, { speech: textOf(speech) || undefined });
      return reply.code(201).send({ data: { id: leg.id, state: leg.state } });
    },
  );

  app.get<{ Params: { id: string } }>(
    '/sandbox/calls/:id',
    { onRequest },
    async (request, reply) => {
      const leg = legAt(request.params.id, reply);
      return leg
        ? { state: leg.state, doing: doing(leg), heard: leg.heard, endedBecause: leg.endedBecause }
        : reply;
    },
  );

  app.post<ById>('/sandbox/calls/:id/keys', { onRequest }, async (request, reply) => {
    const leg = legAt(request.params.id, reply, 'answered');
    if (!leg) return reply;
    const digits = textOf(request.body?.['digits']);
    if (!/^[0-9*#]+$/.test(digits))
      return reply
        .code(422)
        .send({ message: 'Keys are 0-9, * and #.', errors: { digits: ['Invalid keys.'] } });
    exchange.receiveDigits(leg, digits);
    return { data: { id: leg.id, state: leg.state } };
  });

  app.post<ById>('/sandbox/calls/:id/speak', { onRequest }, async (request, reply) => {
    const leg = legAt(request.params.id, reply, 'ringing', 'answered');
    if (!leg) return reply;
    void exchange.speak(leg, textOf(request.body?.['speech']));
    return { data: { id: leg.id, state: leg.state } };
  });

  const hangup = async (request: { params: unknown }, reply: FastifyReply): Promise<unknown> => {
    const leg = legAt((request.params as { id: string }).id, reply);
    if (!leg) return reply;
    exchange.end(
      leg,
      leg.direction === 'out' && leg.state === 'ringing' ? 'declined' : 'hangup',
      'hangup',
    );
    return { data: { id: leg.id, state: leg.state } };
  };
  app.post('/sandbox/calls/:id/hangup', { onRequest }, hangup);
  app.post('/sandbox/legs/:id/hangup', { onRequest }, hangup);

  app.get<{ Params: { number: string } }>(
    '/sandbox/phones/:number/ringing',
    { onRequest },
    async (request) => {
      const number = toE164(request.params.number) ?? request.params.number;
      return [...exchange.legs.values()]
        .filter(
          (leg) =>
            leg.state === 'ringing' &&
            leg.direction === 'out' &&
            leg.farEnd.kind === 'phone' &&
            leg.farEnd.number === number,
        )
        .map((leg) => ({
          id: leg.id,
          from: exchange.legs.get(leg.call)?.from ?? leg.from,
          callerIdShown: leg.from,
        }));
    },
  );

  app.post<ById>('/sandbox/legs/:id/answer', { onRequest }, async (request, reply) => {
    const leg = legAt(request.params.id, reply, 'ringing');
    if (!leg) return reply;
    if (leg.direction === 'in' || leg.claimed)
      return reply.code(409).send({ message: 'This leg isn’t ringing here.' });
    leg.pendingSpeech = textOf(request.body?.['speech']) || null;
    exchange.answer(leg);
    // Pressed at once: they wait until the confirm key is asked for.
    exchange.receiveDigits(leg, textOf(request.body?.['keys']));
    return { data: { id: leg.id, state: leg.state } };
  });

  app.post<ById>('/sandbox/legs/:id/reject', { onRequest }, async (request, reply) => {
    const leg = legAt(request.params.id, reply, 'ringing');
    if (!leg) return reply;
    exchange.end(leg, 'declined', 'declined');
    return { data: { id: leg.id, state: leg.state } };
  });
}
