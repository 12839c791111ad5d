import type { FastifyInstance } from 'fastify';
import type { Services, OutboxNotifier } from '../../platform/context.ts';
import type { VoiceEvent } from '../../gateways/voice.ts';
import type { CarrierTranscript } from '../../gateways/transcription.ts';
import { receiveVoiceEvents } from './receive-events.ts';
import { receiveTranscripts } from './receive-transcripts.ts';

/** How one carrier's voice webhooks come in. `read` proves them genuine and throws when they are not. */
export interface VoiceWebhook {
  carrier: string;
  path: string;
  read: (
    services: Services,
    rawBody: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ) => VoiceEvent[];
}

/**
 * The address a voice carrier reports to. Answered as soon as everything is stored (aim: 300 ms); what follows for the
 * carrier is performed meanwhile. A report that is not genuine is answered 403 and changes nothing; any trouble of ours
 * is a 503, so the carrier reports again.
 */
export const carrierVoiceRoutes = (webhook: VoiceWebhook) =>
  webhookRoute(webhook, async (services, notifier, events) => {
    await receiveVoiceEvents(services, notifier, webhook.carrier, events);
  });
/** Where a carrier sends words of recordings. A recording that is not here yet is a 503, too: they come again. */
export const carrierTranscriptionRoutes = (
  webhook: Omit<VoiceWebhook, 'read'> & {
    read: (
      services: Services,
      rawBody: Buffer,
      headers: Record<string, string | string[] | undefined>,
    ) => CarrierTranscript[];
  },
) =>
  webhookRoute(webhook, (services, notifier, words) =>
    receiveTranscripts(services, notifier, webhook.carrier, words),
  );

const webhookRoute =
  <R>(
    webhook: {
      path: string;
      read: (
        services: Services,
        rawBody: Buffer,
        headers: Record<string, string | string[] | undefined>,
      ) => R[];
    },
    receive: (services: Services, notifier: OutboxNotifier, reports: R[]) => Promise<void>,
  ) =>
  (services: Services, notifier: OutboxNotifier) =>
  async (app: FastifyInstance): Promise<void> => {
    // A signature covers the bytes as they came.
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post(webhook.path, async (request, reply) => {
      let events: R[];
      try {
        events = webhook.read(services, request.body as Buffer, request.headers);
      } catch (error) {
        services.log.warn({ err: error }, 'a voice webhook that the carrier did not sign');
        return reply.code(403).send();
      }
      try {
        await receive(services, notifier, events);
      } catch (error) {
        services.log.error(
          { err: error, path: webhook.path },
          'a voice webhook could not be stored; the carrier will retry it',
        );
        return reply.code(503).send();
      }
      return reply.code(204).send();
    });
  };
