import type { FastifyInstance } from 'fastify';
import type { Services, OutboxNotifier } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import type { CarrierTranscript } from '../../../gateways/transcription.ts';
import { receiveVoiceEvents } from './receive-events.ts';
import { receiveTranscripts } from '../transcripts/receive-transcripts.ts';

/** A carrier's voice webhook. `read` verifies and parses the request; it throws if not genuine. */
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
 * The webhook a voice carrier posts events to. Answers 204 once they are stored (goal: 300 ms); the
 * resulting commands are performed afterwards. A request that is not genuine gets 403 and changes
 * nothing; a failure of ours gets 503, so that the carrier retries.
 */
export const carrierVoiceRoutes = (webhook: VoiceWebhook) =>
  webhookRoute(webhook, async (services, notifier, events) => {
    await receiveVoiceEvents(services, notifier, webhook.carrier, events);
  });
/** The webhook for transcripts. A recording we do not have yet also gets 503. */
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
    // Signatures cover the raw bytes.
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post(webhook.path, async (request, reply) => {
      let events: R[];
      try {
        events = webhook.read(services, request.body as Buffer, request.headers);
      } catch (error) {
        services.log.warn({ err: error }, 'rejected a voice webhook that is not genuine');
        return reply.code(403).send();
      }
      try {
        await receive(services, notifier, events);
      } catch (error) {
        services.log.error(
          { err: error, path: webhook.path },
          'could not store a voice webhook; the carrier will retry',
        );
        return reply.code(503).send();
      }
      return reply.code(204).send();
    });
  };
