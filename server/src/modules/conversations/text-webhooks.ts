import type { FastifyInstance } from 'fastify';
import type { Services, OutboxNotifier } from '../../platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../gateways/messaging.ts';
import { receiveText } from './receive-texts.ts';

/** Stores receipts of the sandbox carrier; resolves when all are stored. */
type StoreReceipts = (carrier: string, reports: readonly DeliveryReport[]) => Promise<void>;

/**
 * The sandbox carrier's webhooks for texts and receipts: `/carriers/{carrier}/texts` and
 * `/receipts`. Answered after commit, so a carrier that got 204 need not repeat it. A webhook without
 * the carrier's signature gets 403 and changes nothing.
 */
export const carrierTextRoutes =
  (services: Services, notifier: OutboxNotifier, storeReceipts: StoreReceipts) =>
  async (app: FastifyInstance): Promise<void> => {
    const carrier = services.gateways.carriers.byName('sandbox')?.messaging;
    if (!carrier) return;
    await app.register(async (routes) => {
      // The signature covers the raw bytes.
      routes.removeAllContentTypeParsers();
      routes.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: 1_000_000 },
        (_, body, done) => {
          done(null, body);
        },
      );
      for (const kind of ['texts', 'receipts'] as const)
        // No browser reads these responses, and the headers that protect pages cost a tenth of
        // storing a text.
        routes.post(
          `/carriers/${carrier.name}/${kind}`,
          { helmet: false },
          async (request, reply) => {
            const webhook = carrier.parseWebhook(
              (request.body as Buffer | undefined) ?? Buffer.alloc(0),
              request.headers,
            );
            if (!webhook)
              return reply.code(403).send({ message: 'This webhook isn’t signed by the carrier.' });
            await receiveTexts(services, notifier, carrier.name, webhook.texts);
            await storeReceipts(carrier.name, webhook.reports);
            return reply.code(204).send();
          },
        );
    });
  };

/** Stores texts that a carrier received for our numbers; resolves when all are stored. */
export async function receiveTexts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  texts: readonly IncomingText[],
): Promise<void> {
  await Promise.all(texts.map((text) => receiveText(services, notifier, carrier, text)));
}
