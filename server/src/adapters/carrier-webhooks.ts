import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../platform/context.ts';
import { knownError } from '../platform/errors.ts';
import type { WebhookRequest, CarrierEventSink } from '../gateways/carrier.ts';

/**
 * The carriers' webhooks, outside `/api`: the adapter gets the raw body and decides the response.
 * When we fail, the response is 503, so that the carrier sends the report again.
 */
export const carrierWebhookRoutes =
  (services: Services, sinkFor: (carrier: string) => CarrierEventSink) =>
  async (app: FastifyInstance): Promise<void> => {
    // Signatures cover the raw bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 2_000_000 }, (_, body, done) => {
      done(null, body);
    });
    for (const carrier of services.gateways.carriers.all) {
      const sink = sinkFor(carrier.name);
      for (const hook of carrier.webhooks ?? [])
        app.route({
          method: hook.method ?? 'POST',
          url: hook.path,
          handler: async (request, reply) => {
            const [path = '', query = ''] = request.raw.url!.split('?', 2);
            const asked: WebhookRequest = {
              method: request.method,
              path,
              query: new URLSearchParams(query),
              url: services.settings.publicUrl + request.raw.url!,
              params: request.params as Record<string, string>,
              headers: request.headers,
              body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
              ip: request.ip,
            };
            try {
              const answer = await hook.handle(asked, sink);
              if (answer.status === 403)
                services.log.warn(
                  { carrier: carrier.name, path },
                  'a webhook that the carrier did not sign',
                );
              const { afterSend: left } = answer;
              if (left) finished(reply.raw, () => void left());
              if (answer.type) void reply.type(answer.type);
              return await reply.code(answer.status).send(answer.body ?? '');
            } catch (error) {
              // What cannot be stored as it is cannot be stored tomorrow either: it is kept in the
              // log, and not asked for again.
              const never = error instanceof Error && knownError(error)?.code === 'invalid';
              if (never)
                services.log.error(
                  {
                    err: error,
                    carrier: carrier.name,
                    path,
                    report: asked.body.subarray(0, 10_000).toString('base64'),
                  },
                  'a carrier webhook that can never be stored',
                );
              else
                services.log.error(
                  { err: error, carrier: carrier.name, path },
                  'a carrier webhook could not be stored; the carrier will retry it',
                );
              return reply.code(never ? 204 : 503).send();
            }
          },
        });
    }
  };
