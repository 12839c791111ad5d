/**
 * Browsers use one origin: the web process forwards `/media/*` to the media process. Signaling is
 * plain HTTP and a streamed response, so no protocol upgrade is needed and any reverse proxy in
 * front works. Only `/media/*` is forwarded; the exchange's commands and recordings are not
 * reachable from outside.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Agent } from 'undici';
import { z } from 'zod';
import { toE164 } from '../../exchange/phone-number.ts';
import { lasting } from '../../platform/http/drain.ts';

interface Options {
  exchangeUrl: () => string;
  /** Why this number cannot be called from an outside phone, as a sentence; null when it can. */
  unreachableReason?: (number: string) => Promise<string | null>;
}
const DialBody = z.object({ to: z.string().max(40) });

/**
 * Forwards `/media/*` to the media process. A handset dialing an unreachable number gets 422 with
 * the reason.
 */
export const mediaProxy: FastifyPluginAsync<Options> = async (
  app,
  { exchangeUrl, unreachableReason },
) => {
  // A joined browser holds its stream open for hours: no body timeout, and enough connections for
  // all of them.
  const agent = new Agent({ connections: 2000, bodyTimeout: 0, headersTimeout: 15_000 });
  app.addHook('onClose', () => agent.destroy());
  const streams = new Set<AbortController>();
  // Its pages join again elsewhere, and their calls go on.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.abort();
  });

  const forward = async (request: FastifyRequest, reply: FastifyReply) => {
    // Only handsets dial here; the app's calls are placed through the product.
    const dial = /^\/media\/[^/]+\/dial\/?(\?|$)/.test(request.url)
      ? DialBody.safeParse(request.body)
      : null;
    const number = dial?.success ? toE164(dial.data.to) : null;
    const refusal = number && (await unreachableReason?.(number));
    if (refusal) return reply.code(422).send({ message: refusal });
    const disconnected = new AbortController();
    streams.add(disconnected);
    request.raw.socket.once('close', () => disconnected.abort());
    reply.raw.once('close', () => {
      streams.delete(disconnected);
      disconnected.abort();
    });
    const response = await agent
      .request({
        origin: exchangeUrl(),
        method: 'POST',
        path: request.url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body ?? {}),
        signal: disconnected.signal,
      })
      .catch(() => null);
    if (response === null)
      return reply.code(503).send({ message: 'The phone is not available right now.' });
    // A page may leave at any time: a broken stream is its normal end, not an error.
    response.body.on('error', () => reply.raw.destroy());
    return reply
      .code(response.statusCode)
      .header('content-type', response.headers['content-type'] ?? 'application/json')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(response.body);
  };
  app.post('/media/join', lasting, forward);
  app.post('/media/*', forward);
};
