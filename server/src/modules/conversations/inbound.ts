import type { FastifyInstance } from 'fastify';
import type { House, Said } from '../../platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../ports/messaging.ts';
import { receiveReceipt } from './receive-receipt.ts';
import { receiveText } from './receive-texts.ts';

/**
 * Where carriers report texts and receipts: `/carriers/{carrier}/texts` and `/receipts`. Answered after commit, so a carrier
 * that got 204 need not say it again. A webhook the carrier did not sign is 403 and changes nothing. `receipts`: who hears of them
 * first; those of texts that are not theirs come back to `receiveReceipts`.
 */
export const carrierTextRoutes =
  (house: House, said: Said, receipts = receiveReceipts) =>
  async (app: FastifyInstance): Promise<void> => {
    const carrier = house.ports.carriers.named('sandbox')?.messaging;
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
      for (const what of ['texts', 'receipts'] as const)
        // No browser reads these answers: the headers that protect pages cost a tenth of what storing a text does.
        routes.post(
          `/carriers/${carrier.name}/${what}`,
          { helmet: false },
          async (request, reply) => {
            const heard = carrier.readWebhook(
              (request.body as Buffer | undefined) ?? Buffer.alloc(0),
              request.headers,
            );
            if (!heard)
              return reply
                .code(403)
                .send({ message: 'This webhook is not signed by the carrier.' });
            await receiveTexts(house, said, carrier.name, heard.texts);
            await receipts(house, said, carrier.name, heard.reports);
            return reply.code(204).send();
          },
        );
    });
  };

/** Texts a carrier brought; resolves when all are stored. */
export async function receiveTexts(
  house: House,
  said: Said,
  carrier: string,
  texts: readonly IncomingText[],
): Promise<void> {
  await Promise.all(texts.map((text) => receiveText(house, said, carrier, text)));
}
/** Receipts, of which several may be of one text; resolves when all are stored. */
export async function receiveReceipts(
  house: House,
  said: Said,
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  await Promise.all(reports.map((report) => receiveReceipt(house, said, carrier, report)));
}
