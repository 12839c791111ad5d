import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../platform/context.ts';
import { knownError } from '../platform/errors.ts';
import type { CarrierEventSink, CarrierWebhook, WebhookRequest } from '../gateways/carrier.ts';

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
    for (const { carrier, webhooks } of services.gateways.carriers.webhooks) {
      const sink = sinkFor(carrier);
      for (const hook of webhooks)
        app.route({
          method: hook.method ?? 'POST',
          url: hook.path,
          // No browser reads these responses: the headers that protect pages cost a tenth of what
          // storing a text does.
          helmet: false,
          handler: (request, reply) =>
            receiveWebhook(services, { carrier, hook, sink }, request, reply),
        });
    }
  };

interface Route {
  carrier: string;
  hook: CarrierWebhook;
  sink: CarrierEventSink;
}

async function receiveWebhook(
  services: Services,
  { carrier, hook, sink }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const webhook = webhookRequest(services, request);
  const { path } = webhook;
  try {
    const answer = await hook.handle(webhook, sink);
    if (answer.status === 403)
      services.log.warn({ carrier, path }, 'a webhook that the carrier did not sign');
    const { afterSend } = answer;
    if (afterSend) finished(reply.raw, () => void afterSend());
    if (answer.type) void reply.type(answer.type);
    return await reply.code(answer.status).send(answer.body ?? '');
  } catch (error) {
    // What can't be stored as it is can't be stored later either: it is logged whole, and the
    // carrier is not asked to send it again.
    const isInvalid = error instanceof Error && knownError(error)?.code === 'invalid';
    if (!isInvalid) {
      services.log.error(
        { err: error, carrier, path },
        'a carrier webhook could not be stored; the carrier will retry it',
      );
      return reply.code(503).send();
    }
    const report = webhook.body.subarray(0, 10_000).toString('base64');
    services.log.error(
      { err: error, carrier, path, report },
      'a carrier webhook that can never be stored',
    );
    return reply.code(204).send();
  }
}

function webhookRequest({ settings }: Services, request: FastifyRequest): WebhookRequest {
  const { url = '' } = request.raw;
  const [path = '', query = ''] = url.split('?', 2);
  return {
    method: request.method,
    path,
    query: new URLSearchParams(query),
    url: settings.publicUrl + url,
    params: request.params as Record<string, string>,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    ip: request.ip,
  };
}
