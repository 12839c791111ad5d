/**
 * Browsers meet one origin: the web process hands `/media/*` on to the media process. Signalling is plain HTTP
 * and a streamed answer, so nothing needs an upgrade and any reverse proxy in front will do.
 * Only `/media/*` is passed on; the switch's commands and recordings stay inside.
 */
import type { FastifyPluginAsync } from 'fastify';
import { Agent } from 'undici';
import { z } from 'zod';
import { toE164 } from './phone-number.ts';

/** `whyNotReached`: a sentence when this number cannot be called from an outside phone here, else null. */
interface Options {
  exchangeUrl: () => string;
  unreachableReason?: (number: string) => Promise<string | null>;
}
const DialBody = z.object({ to: z.string().max(40) });

export const mediaProxy: FastifyPluginAsync<Options> = async (
  app,
  { exchangeUrl, unreachableReason },
) => {
  // A joined browser holds its stream open for hours: no body timeout, and enough connections for all of them.
  const agent = new Agent({ connections: 2000, bodyTimeout: 0, headersTimeout: 15_000 });
  app.addHook('onClose', () => agent.destroy());

  app.post<{ Body: unknown }>('/media/*', async (request, reply) => {
    // Only the handset dials here; the app's own calls are placed through the product.
    const dialled = /^\/media\/[^/]+\/dial\/?(\?|$)/.test(request.url)
      ? DialBody.safeParse(request.body)
      : null;
    const number = dialled?.success ? toE164(dialled.data.to) : null;
    const refusal = number && (await unreachableReason?.(number));
    if (refusal) return reply.code(422).send({ message: refusal });
    const gone = new AbortController();
    request.raw.socket.once('close', () => gone.abort());
    reply.raw.once('close', () => gone.abort());
    const answer = await agent
      .request({
        origin: exchangeUrl(),
        method: 'POST',
        path: request.url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body ?? {}),
        signal: gone.signal,
      })
      .catch(() => null);
    if (answer === null)
      return reply.code(503).send({ message: 'The phone is not available right now.' });
    // The page may leave at any time; a cut stream is its normal end, not an error.
    answer.body.on('error', () => reply.raw.destroy());
    return reply
      .code(answer.statusCode)
      .header('content-type', answer.headers['content-type'] ?? 'application/json')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(answer.body);
  });
};
