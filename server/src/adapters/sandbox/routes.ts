/**
 * The sandbox's voice over plain HTTP (`/sandbox/…`), registered by the web process only when CARRIER=sandbox.
 * Calls and legs live in the media process, so those requests are handed on to it; trouble and tokens are ours.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { z } from 'zod';
import { toE164 } from './phone-number.ts';
import { mintMediaToken } from './media-token.ts';
import { setFaults, Faults, currentFaults } from './fault-injection.ts';
import { secretHeader } from './voice.ts';

const handsetTokenTtlMs = 60 * 60_000;

interface VoiceOptions {
  exchangeUrl: () => string;
  secret: string;
  mediaUrl?: string;
  /** A sentence when this number cannot be called through the sandbox, else null. */
  unreachableReason?: (number: string) => Promise<string | null>;
}
const CallBody = z.object({ to: z.string().max(40) });

export const sandboxVoiceRoutes: FastifyPluginAsync<VoiceOptions> = async (app, options) => {
  const agent = new Agent({ connections: 8, headersTimeout: 10_000 });
  app.addHook('onClose', () => agent.destroy());

  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const answer = await agent
      .request({
        origin: options.exchangeUrl(),
        method: request.method as 'GET' | 'POST',
        path: request.url,
        headers: { [secretHeader]: options.secret, 'content-type': 'application/json' },
        body: request.method === 'GET' ? null : JSON.stringify(request.body ?? {}),
      })
      .catch(() => null);
    if (answer === null)
      return reply.code(503).send({ message: 'The sandbox phone exchange isn’t running.' });
    return reply
      .code(answer.statusCode)
      .type('application/json')
      .send(await answer.body.text());
  };

  app.post('/sandbox/calls', async (request, reply) => {
    const called = CallBody.safeParse(request.body);
    const number = called.success ? toE164(called.data.to) : null;
    const refusal = number && (await options.unreachableReason?.(number));
    if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
    return forward(request, reply);
  });
  app.get('/sandbox/calls/:id', forward);
  app.post('/sandbox/calls/:id/keys', forward);
  app.post('/sandbox/calls/:id/speak', forward);
  app.post('/sandbox/calls/:id/hangup', forward);
  app.get('/sandbox/phones/:number/ringing', forward);
  app.post('/sandbox/legs/:id/answer', forward);
  app.post('/sandbox/legs/:id/reject', forward);
  app.post('/sandbox/legs/:id/hangup', forward);

  app.get('/sandbox/trouble', () => ({ data: currentFaults() }));
  app.put('/sandbox/trouble', (request, reply) => {
    const asked = Faults.safeParse(request.body ?? {});
    if (!asked.success)
      return reply.code(422).send({
        message: 'These aren’t fault switches.',
        errors: asked.error.flatten().fieldErrors,
      });
    return { data: setFaults(asked.data) };
  });

  /** A browser that holds an outside phone asks for its token here; the sandbox trusts everyone who can reach it. */
  app.post('/sandbox/handset/token', (request, reply) => {
    const asked = z.object({ number: z.string().max(40) }).safeParse(request.body);
    const number = asked.success ? toE164(asked.data.number) : null;
    if (number === null)
      return reply.code(422).send({
        message: 'Enter a ten-digit number for the test phone.',
        errors: { number: ['This isn’t a phone number.'] },
      });
    const expiresAt = Date.now() + handsetTokenTtlMs;
    const token = mintMediaToken(
      { kind: 'handset', number, device: randomUUID() },
      options.secret,
      expiresAt,
    );
    return {
      data: {
        token,
        url: options.mediaUrl ?? '/media',
        number,
        expiresAt: new Date(expiresAt).toISOString(),
        iceServers: [],
      },
    };
  });
};
