import type { FastifyInstance } from 'fastify';
import { formatPhone } from '#contract/phone';
import { systemCtx, type House, type Said } from '../../../platform/context.ts';
import { reportCameAt } from '../../../platform/kept-reports.ts';
import { noFaxes, type FaxReport, type IncomingFax } from '../../../ports/fax.ts';
import { isBlocked } from '../../compliance/index.ts';
import { directoryEntry } from '../../numbers/index.ts';
import { readKey } from './rules.ts';
import { placeFax } from './send-fax.ts';
import { settleFax } from './settle-fax.ts';
import { companyOfProviderId, faxByCarrier, insertFax } from './store-fax.ts';

/** Where the fax carrier reports: `/carriers/{carrier}/fax`. Answered after commit; what it did not sign is 403 and changes nothing. */
export const carrierFaxRoutes =
  (house: House, said: Said) =>
  async (app: FastifyInstance): Promise<void> => {
    const carrier = house.ports.fax;
    if (carrier === noFaxes) return;
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
      routes.post(`/carriers/${carrier.name}/fax`, async (request, reply) => {
        const heard = carrier.readWebhook(
          (request.body as Buffer | undefined) ?? Buffer.alloc(0),
          request.headers,
          reportCameAt(house, request),
        );
        if (!heard)
          return reply.code(403).send({ message: 'This webhook is not signed by the carrier.' });
        for (const fax of heard.faxes) await receiveFax(house, said, carrier.name, fax);
        for (const report of heard.reports)
          await receiveFaxReport(house, said, carrier.name, report);
        return reply.code(204).send();
      });
    });
  };

/** A fax for one of our numbers: in its conversation at once, its pages as soon as they are fetched. One carrier's id is stored once. */
export async function receiveFax(
  house: House,
  said: Said,
  carrier: string,
  fax: IncomingFax,
): Promise<'stored' | 'known' | 'not_ours'> {
  const ours = await directoryEntry(house.db.directory, fax.to);
  if (!ours) return 'not_ours';
  return systemCtx(house, ours.company_id, said, 'carrier-fax').transaction(async (t) => {
    if (await faxByCarrier(t.tx, t.companyId, carrier, fax.id)) return 'known';
    const party = fax.from.startsWith('+') ? fax.from : 'anonymous';
    const row = await insertFax(t.tx, {
      company_id: t.companyId,
      number_id: ours.number_id,
      outgoing: false,
      party,
      state: 'receiving',
      name: party === 'anonymous' ? 'Fax' : `Fax from ${formatPhone(party)}`,
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
    await placeFax(t, row, {
      unread: true,
      quiet: await isBlocked(t.tx, t.companyId, ours.number_id, party),
    });
    await t.enqueue(
      'conversations.fetchFax',
      { faxId: row.id },
      { key: `fax:${t.companyId}:${row.id}` },
    );
    return 'stored';
  });
}

/** What the carrier reports of a fax of ours. Late, twice or out of order changes nothing; of a fax we do not know, neither. */
export async function receiveFaxReport(
  house: House,
  said: Said,
  carrier: string,
  report: FaxReport,
): Promise<void> {
  const named = readKey(report.key) ?? (await byProviderId(house, carrier, report.providerId));
  if (!named) return;
  await systemCtx(house, named.companyId, said, 'carrier-fax').transaction((t) =>
    settleFax(t, named.faxId, {
      state: report.state,
      code: report.code,
      providerId: report.providerId,
      attempt: named.attempt,
    }),
  );
}
async function byProviderId(house: House, carrier: string, providerId: string) {
  const row = await companyOfProviderId(house.db.directory, carrier, providerId);
  return row ? { companyId: row.company_id, faxId: row.id, attempt: row.attempts } : null;
}
