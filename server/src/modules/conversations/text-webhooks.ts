import type { FastifyInstance } from 'fastify';
import type { Services, OutboxNotifier } from '../../platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../gateways/messaging.ts';
import { receiveReceipt } from './receive-receipt.ts';
import { receiveText } from './receive-texts.ts';

/**
 * Where carriers report texts and receipts: `/carriers/{carrier}/texts` and `/receipts`. Answered after commit, so a carrier
 * that got 204 need not say it again. A webhook the carrier did not sign is 403 and changes nothing. `receipts`: who hears of them
 * first; those of texts that are not theirs come back to `receiveReceipts`.
 */
export const carrierTextRoutes =
  (services: Services, notifier: OutboxNotifier, receipts = receiveReceipts) =>
  async (app: FastifyInstance): Promise<void> => {
    const carrier = services.gateways.carriers.byName('sandbox')?.messaging;
    if (!carrier) return;
    await app.register(async (routes) => {
      // The signature is over the bytes as they came.
      routes.removeAllContentTypeParsers();
      routes.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: 1_000_000 },
        (_, body, done) => {
          done(null, body);
        },
      );
      for (const kind of ['texts', 'receipts'] as const)
        // No browser reads these answers: the headers that protect pages cost a tenth of what storing a text does.
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
            await receipts(services, notifier, carrier.name, webhook.reports);
            return reply.code(204).send();
          },
        );
    });
  };

/** Texts a carrier brought; resolves when all are stored. */
export async function receiveTexts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  texts: readonly IncomingText[],
): Promise<void> {
  await Promise.all(texts.map((text) => receiveText(services, notifier, carrier, text)));
}
/** Receipts, of which several may be of one text; resolves when all are stored. */
export async function receiveReceipts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  await Promise.all(reports.map((report) => receiveReceipt(services, notifier, carrier, report)));
}
