/**
 * The sandbox's voice over plain HTTP (`/sandbox/…`), registered by the web process only when
 * CARRIER=sandbox. Calls and legs live in media processes, so those requests are forwarded to them;
 * faults and tokens are handled here.
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { toE164 } from '../../exchange/phone-number.ts';
import { mintMediaToken } from '../../exchange/media-token.ts';
import { setFaults, Faults, currentFaults } from './fault-injection.ts';
import type { Exchanges } from './exchanges.ts';
import { ForwardToExchanges } from './forward-to-exchanges.ts';

const handsetTokenTtlMs = 60 * 60_000;

interface VoiceOptions {
  exchanges: Exchanges;
  secret: string;
  mediaUrl?: string;
  /** Why this number cannot be called through the sandbox, as a sentence; null when it can. */
  unreachableReason?: (number: string) => Promise<string | null>;
}
const CallBody = z.object({ to: z.string().max(40) });

/** The HTTP routes of the sandbox's calls. They answer 503 while no media process runs. */
export const sandboxVoiceRoutes: FastifyPluginAsync<VoiceOptions> = async (app, options) => {
  const exchanges = new ForwardToExchanges(options.exchanges, options.secret);
  app.addHook('onClose', () => exchanges.close());

  app.post('/sandbox/calls', async (request, reply) => {
    const call = CallBody.safeParse(request.body);
    const number = call.success ? toE164(call.data.to) : null;
    const refusal = number && (await options.unreachableReason?.(number));
    if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
    return exchanges.toBest(request, reply);
  });
  app.get('/sandbox/calls/:id', exchanges.toLeg);
  app.post('/sandbox/calls/:id/keys', exchanges.toLeg);
  app.post('/sandbox/calls/:id/speak', exchanges.toLeg);
  app.post('/sandbox/calls/:id/hangup', exchanges.toLeg);
  app.get('/sandbox/phones/:number/ringing', exchanges.toAll);
  app.post('/sandbox/legs/:id/answer', exchanges.toLeg);
  app.post('/sandbox/legs/:id/reject', exchanges.toLeg);
  app.post('/sandbox/legs/:id/hangup', exchanges.toLeg);

  faultRoutes(app);

  /**
   * Issues a token to a browser that acts as an outside phone. Anyone who reaches the sandbox gets
   * one.
   */
  app.post('/sandbox/handset/token', (request, reply) => {
    const body = z.object({ number: z.string().max(40) }).safeParse(request.body);
    const number = body.success ? toE164(body.data.number) : null;
    if (number === null)
      return reply.code(422).send({
        message: 'Enter a ten-digit number for the test phone.',
        errors: { number: ['This isn’t a phone number.'] },
      });
    return { data: handsetToken(number, options) };
  });
};

function faultRoutes(app: FastifyInstance): void {
  app.get('/sandbox/faults', () => ({ data: currentFaults() }));
  app.put('/sandbox/faults', (request, reply) => {
    const faults = Faults.safeParse(request.body ?? {});
    if (!faults.success)
      return reply.code(422).send({
        message: 'These aren’t fault switches.',
        errors: faults.error.flatten().fieldErrors,
      });
    return { data: setFaults(faults.data) };
  });
}

function handsetToken(number: string, { secret, mediaUrl = '/media' }: VoiceOptions) {
  const expiresAt = Date.now() + handsetTokenTtlMs;
  const device = randomUUID();
  return {
    token: mintMediaToken({ kind: 'handset', number, device }, secret, expiresAt),
    url: mediaUrl,
    number,
    expiresAt: new Date(expiresAt).toISOString(),
    iceServers: [],
  };
}
