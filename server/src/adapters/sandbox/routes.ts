/**
 * The sandbox's voice over plain HTTP (`/sandbox/…`), registered by the web process only when CARRIER=sandbox.
 * Calls and legs live in the media process, so those requests are handed on to it; trouble and tokens are ours.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { z } from 'zod';
import { phoneNumber } from './phone-number.ts';
import { mintMediaToken } from './token.ts';
import { setTrouble, Trouble, trouble } from './trouble.ts';
import { secretHeader } from './voice.ts';

const handsetTokenLivesMs = 60 * 60_000;

interface VoiceOptions {
  switchUrl: () => string;
  secret: string;
  mediaUrl?: string;
  /** A sentence when this number cannot be called through the sandbox, else null. */
  whyNotReached?: (number: string) => Promise<string | null>;
}
const Called = z.object({ to: z.string().max(40) });

export const sandboxVoiceRoutes: FastifyPluginAsync<VoiceOptions> = async (app, options) => {
  const agent = new Agent({ connections: 8, headersTimeout: 10_000 });
  app.addHook('onClose', () => agent.destroy());

  const handOn = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const answer = await agent
      .request({
        origin: options.switchUrl(),
        method: request.method as 'GET' | 'POST',
        path: request.url,
        headers: { [secretHeader]: options.secret, 'content-type': 'application/json' },
        body: request.method === 'GET' ? null : JSON.stringify(request.body ?? {}),
      })
      .catch(() => null);
    if (answer === null)
      return reply.code(503).send({ message: 'The sandbox telephone exchange is not running.' });
    return reply
      .code(answer.statusCode)
      .type('application/json')
      .send(await answer.body.text());
  };

  app.post('/sandbox/calls', async (request, reply) => {
    const called = Called.safeParse(request.body);
    const number = called.success ? phoneNumber(called.data.to) : null;
    const refusal = number && (await options.whyNotReached?.(number));
    if (refusal) return reply.code(422).send({ message: refusal, errors: { to: [refusal] } });
    return handOn(request, reply);
  });
  app.get('/sandbox/calls/:id', handOn);
  app.post('/sandbox/calls/:id/keys', handOn);
  app.post('/sandbox/calls/:id/speak', handOn);
  app.post('/sandbox/calls/:id/hangup', handOn);
  app.get('/sandbox/phones/:number/ringing', handOn);
  app.post('/sandbox/legs/:id/answer', handOn);
  app.post('/sandbox/legs/:id/reject', handOn);
  app.post('/sandbox/legs/:id/hangup', handOn);

  app.get('/sandbox/trouble', () => ({ data: trouble() }));
  app.put('/sandbox/trouble', (request, reply) => {
    const asked = Trouble.safeParse(request.body ?? {});
    if (!asked.success)
      return reply.code(422).send({
        message: 'These are not trouble switches.',
        errors: asked.error.flatten().fieldErrors,
      });
    return { data: setTrouble(asked.data) };
  });

  /** A browser that holds an outside phone asks for its token here; the sandbox trusts everyone who can reach it. */
  app.post('/sandbox/handset/token', (request, reply) => {
    const asked = z.object({ number: z.string().max(40) }).safeParse(request.body);
    const number = asked.success ? phoneNumber(asked.data.number) : null;
    if (number === null)
      return reply.code(422).send({
        message: 'Give the outside phone a ten-digit number.',
        errors: { number: ['Not a phone number.'] },
      });
    const expiresAt = Date.now() + handsetTokenLivesMs;
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
