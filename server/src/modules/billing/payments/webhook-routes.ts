import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { enqueueIn } from '../../../platform/context.ts';
import { settlePaymentJob } from '../job-kinds.ts';
import { readChargeKey } from './charge-balance.ts';

// The system role: a provider names a charge, and thereby its company.

/**
 * The payment provider's reports. One only says which charge to ask about: what became of it is read
 * from the provider, so that a report that comes twice, late or in another order changes nothing.
 * 403 for a report that the provider didn't sign.
 */
export const paymentWebhookRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    const webhook = services.gateways.payments?.webhook;
    if (!webhook) return;
    // The signature covers the raw bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1_000_000 }, (_, body, done) => {
      done(null, body);
    });
    app.post(webhook.path, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const report = webhook.read(body, request.headers);
      if (report === 'forged')
        return reply.code(403).send({ message: 'This report isn’t signed by the provider.' });
      const charge = report.key === null ? null : readChargeKey(report.key);
      if (charge)
        await services.db.systemTransaction((tx) =>
          enqueueIn(tx, settlePaymentJob, charge, {
            key: `billing.settle:${charge.companyId}:${charge.attemptId}`,
          }),
        );
      return reply.code(204).send();
    });
  };
