import type { FastifyInstance } from 'fastify';
import { partyName, withheldParty } from '#contract/party';
import { readParty } from '#contract/read-party';
import { systemCtx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import { webhookReceivedAt } from '../../platform/webhook-retry.ts';
import { noFaxCarrier, type FaxReport, type IncomingFax } from '../../gateways/fax.ts';
import { isBlocked } from '../compliance/index.ts';
import { directoryEntry } from '../numbers/index.ts';
import { parseIdempotencyKey } from './rules.ts';
import { appendFaxItem } from './send-fax.ts';
import { updateFaxStatus } from './update-fax-status.ts';
import { outboundFaxByProviderId, faxByProviderRef, insertFax } from './store.ts';
import { fetchJob } from './job-kinds.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/**
 * Webhook endpoint of the fax carrier: `/carriers/{carrier}/fax`. Responds after commit; a request
 * with an invalid signature gets 403 and changes nothing.
 */
export const carrierFaxRoutes =
  (services: Services, notifier: OutboxNotifier) =>
  async (app: FastifyInstance): Promise<void> => {
    const carrier = services.gateways.fax;
    if (carrier === noFaxCarrier) return;
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
      routes.post(`/carriers/${carrier.name}/fax`, async (request, reply) => {
        const webhook = carrier.parseWebhook(
          (request.body as Buffer | undefined) ?? Buffer.alloc(0),
          request.headers,
          webhookReceivedAt(services, request),
        );
        if (!webhook)
          return reply.code(403).send({ message: 'This webhook isn’t signed by the carrier.' });
        for (const fax of webhook.faxes) await receiveFax(services, notifier, carrier.name, fax);
        for (const report of webhook.reports)
          await receiveFaxReport(services, notifier, carrier.name, report);
        return reply.code(204).send();
      });
    });
  };

/**
 * Stores an incoming fax in its conversation; a job fetches the pages. One carrier id is stored
 * once.
 */
async function receiveFax(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  fax: IncomingFax,
): Promise<'stored' | 'known' | 'not_ours'> {
  const entry = await directoryEntry(services.db.unscoped, fax.to);
  if (!entry) return 'not_ours';
  return systemCtx(services, entry.company_id, notifier, 'carrier-fax').transaction(async (t) => {
    if (await faxByProviderRef(t.tx, t.companyId, carrier, fax.id)) return 'known';
    const party = readParty(fax.from);
    const row = await insertFax(t.tx, {
      company_id: t.companyId,
      number_id: entry.number_id,
      outgoing: false,
      party,
      state: 'receiving',
      name: party === withheldParty ? 'Fax' : `Fax from ${partyName(party)}`,
      cover: null,
      source_file_ids: [],
      source_url: fax.url,
      pages: fax.pages,
      carrier,
      provider_id: fax.id,
      actor_id: null,
      actor_name: null,
      queued_at: t.now,
      created_at: t.now,
    });
    if (!row) return 'known';
    await appendFaxItem(t, row, {
      unread: true,
      quiet: await isBlocked(t.tx, t.companyId, entry.number_id, party),
    });
    await t.enqueue(fetchJob, { faxId: row.id }, { key: `fax:${t.companyId}:${row.id}` });
    return 'stored';
  });
}

/**
 * Applies a status report for an outgoing fax. Late, duplicate and out-of-order reports change
 * nothing, nor do reports for unknown faxes.
 */
async function receiveFaxReport(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  report: FaxReport,
): Promise<void> {
  const ref =
    parseIdempotencyKey(report.key) ??
    (await faxByProviderId(services, carrier, report.providerId));
  if (!ref) return;
  await systemCtx(services, ref.companyId, notifier, 'carrier-fax').transaction((t) =>
    updateFaxStatus(t, ref.faxId, {
      state: report.state,
      code: report.code,
      providerId: report.providerId,
      attempt: ref.attempt,
    }),
  );
}
async function faxByProviderId(services: Services, carrier: string, providerId: string) {
  const row = await outboundFaxByProviderId(services.db.unscoped, carrier, providerId);
  return row ? { companyId: row.company_id, faxId: row.id, attempt: row.attempts } : null;
}
