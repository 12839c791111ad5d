/**
 * The exchange's HTTP API for the product: commands, the state of a leg, recordings. Requires the
 * shared secret.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import type { VoiceCommand } from '../gateways/voice.ts';
import { happens, type ExchangeFaults } from './faults.ts';
import { exchangeHeader, secretHeader } from './protocol.ts';
import type { Exchange } from './exchange.ts';
import type { CommandRunner } from './command-runner.ts';

/** A hook that answers 403 unless the request carries the shared secret. */
export function requireSecret(secret: string) {
  const expected = Buffer.from(secret);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = Buffer.from(String(request.headers[secretHeader] ?? ''));
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      await reply.code(403).send({ message: 'Forbidden.' });
  };
}

/** `faults` (outage, errors, dropped responses) are injected into `POST /commands`. */
export function controlHttp(
  app: FastifyInstance,
  exchange: Exchange,
  commandRunner: CommandRunner,
  { secret, faults }: { secret: string; faults: () => ExchangeFaults },
): void {
  const hasSecret = requireSecret(secret);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await hasSecret(request, reply);
    const meant = request.headers[exchangeHeader];
    const id = exchange.id();
    if (!reply.sent && meant !== undefined && id !== null && meant !== id)
      await reply.code(410).send({ message: 'Another exchange is here by now.' });
  };

  app.post<{ Body: { commands: VoiceCommand[] } }>(
    '/commands',
    { onRequest },
    async (request, reply) => {
      const { outage, errorRate, dropAfterEffectRate } = faults();
      if (outage) return reply.code(503).send({ message: 'The carrier is offline.' });
      if (happens(errorRate)) return reply.code(500).send({ message: 'The carrier failed.' });
      commandRunner.perform(request.body.commands);
      if (happens(dropAfterEffectRate)) {
        reply.hijack();
        request.raw.socket.destroy();
        return;
      }
      return reply.code(202).send({});
    },
  );

  app.get<{ Params: { id: string } }>('/legs/:id', { onRequest }, async (request, reply) => {
    if (faults().outage) return reply.code(503).send({ message: 'The carrier is offline.' });
    const leg = exchange.legs.get(request.params.id);
    return leg
      ? { state: leg.state, cause: leg.cause }
      : reply.code(404).send({ message: 'Unknown call.' });
  });

  // No secret header: the URL is signed, so that the product fetches it as it does any carrier's.
  app.get<{ Params: { name: string }; Querystring: { signature?: string } }>(
    '/recordings/:name',
    async (request, reply) => {
      const path = exchange.recordings.fileOf(request.params.name, request.query.signature ?? '');
      if (path === null || !existsSync(path))
        return reply.code(404).send({ message: 'There’s no such recording.' });
      reply.raw.once('finish', () => exchange.recordings.fetched(request.params.name));
      return reply.type('audio/wav').send(createReadStream(path));
    },
  );

  app.get('/livez', () => ({ calls: exchange.calls, exchange: exchange.id() }));
}
