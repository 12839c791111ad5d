import type { FastifyInstance } from 'fastify';
import type { House, Said } from '../../platform/context.ts';
import { receiveReceipt } from './receive-receipt.ts';
import { receiveText } from './receive-text.ts';

/**
 * Where carriers report texts and receipts: `/carriers/{carrier}/texts` and `/receipts`. Answered after commit, so a carrier
 * that got 204 need not say it again. A webhook the carrier did not sign is 403 and changes nothing.
 */
export const carrierTextRoutes = (house: House, said: Said) => async (app: FastifyInstance): Promise<void> => {
  const carrier = house.ports.messaging;
  if (!carrier) return;
  await app.register(async (routes) => {
    // The signature is over the bytes as they came.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1_000_000 }, (_, body, done) => { done(null, body); });
    for (const what of ['texts', 'receipts'] as const)
      routes.post(`/carriers/${carrier.name}/${what}`, async (request, reply) => {
        const heard = carrier.readWebhook((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers);
        if (!heard) return reply.code(403).send({ message: 'This webhook is not signed by the carrier.' });
        await Promise.all(heard.texts.map((text) => receiveText(house, said, carrier.name, text)));
        for (const report of heard.reports) await receiveReceipt(house, said, carrier.name, report);
        return reply.code(204).send();
      });
  });
};
