/** What the sandbox's fax carrier owes its customer: how faxes it took went, and those that arrived for their numbers. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { Services } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { FaxReport } from '../../gateways/fax.ts';
import { faxId, queueFaxJob, type FaxWebhook } from './faxes.ts';
import { postToCustomer } from './text-jobs.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';

interface Row {
  id: number;
  outgoing: boolean;
  key: string | null;
  from_number: string;
  to_number: string;
  pages: number;
  at: Date;
  fails: string | null;
}
const faxRow = async (services: Services, id: number) =>
  (
    await sql<Row>`select f.id, f.outgoing, f.key, f.from_number, f.to_number, f.pages, f.at, p.fax_fails fails from sandbox.fax f left join sandbox.phone p on f.outgoing and p.number = f.to_number where f.id = ${id} and f.reported_at is null`.execute(
      services.db.unscoped,
    )
  ).rows[0];
const setState = (services: Services, id: number, state: string, code: string | null) =>
  sql`update sandbox.fax set reported_at = clock_timestamp(), state = ${state}, code = ${code} where id = ${id}`.execute(
    services.db.unscoped,
  );
const postFaxWebhook = (services: Services, webhook: FaxWebhook) =>
  postToCustomer(services, 'fax', webhook);

/** Sending, then delivered (or not): two reports, troubled as the switches say. A fax to a number of this sandbox arrives there. */
async function reportFax(services: Services, { faxId: id }: { faxId: number }): Promise<void> {
  const row = await faxRow(services, id);
  if (!row) return;
  const now = currentFaults();
  const still = () =>
    services.db.systemTransaction((tx) => queueFaxJob(tx, 'sandbox.reportFax', id, 2000));
  if (now.outage) {
    await still();
    return;
  }
  const last = row.fails ? 'failed' : 'delivered';
  const one = (state: FaxReport['state']): FaxReport => ({
    providerId: faxId(row.id),
    key: row.key,
    state,
    code: state === 'failed' ? row.fails : null,
    at: row.at.getTime(),
  });
  const reports = shouldFail(now.reorderRate)
    ? [one(last), one('sending')]
    : [one('sending'), one(last)];
  for (const said of reports)
    for (let n = shouldFail(now.duplicateRate) ? 2 : 1; n > 0; n--)
      if (!(await postFaxWebhook(services, { reports: [said] }))) {
        await still();
        return;
      }
  await services.db.systemTransaction(async (tx) => {
    const done = (
      await sql<{
        id: number;
      }>`update sandbox.fax set reported_at = clock_timestamp(), state = ${last}, code = ${row.fails} where id = ${id} and reported_at is null returning id`.execute(
        tx,
      )
    ).rows[0];
    if (!done || row.fails) return;
    const arrived = (
      await sql<{
        id: number;
      }>`insert into sandbox.fax (outgoing, from_number, to_number, document, content_type, pages, state, at)
      select false, f.from_number, f.to_number, f.document, f.content_type, f.pages, 'received', clock_timestamp() from sandbox.fax f join number_directory d on d.number = f.to_number where f.id = ${id} returning id`.execute(
        tx,
      )
    ).rows[0];
    if (arrived) await queueFaxJob(tx, 'sandbox.deliverFax', arrived.id, 0);
  });
}

/** A fax an outside phone sent: told until it is taken. Also tried at once by the request that brought it. */
export async function deliverFax(
  services: Services,
  { faxId: id }: { faxId: number },
): Promise<boolean> {
  const row = await faxRow(services, id);
  if (!row) return true;
  const now = currentFaults();
  const fax = {
    id: faxId(row.id),
    from: row.from_number,
    to: row.to_number,
    pages: row.pages,
    url: `${services.settings.publicUrl}/sandbox/faxes/${row.id}/document`,
    at: row.at.getTime(),
  };
  for (let n = shouldFail(now.duplicateRate) ? 2 : 1; n > 0; n--)
    if (now.outage || !(await postFaxWebhook(services, { faxes: [fax] }))) return false;
  await setState(services, id, 'received', null);
  return true;
}

const faxPayload = z.object({ faxId: z.number() }).loose();
export const jobs = [
  defineJob('sandbox.reportFax', faxPayload, async (ctx, payload) =>
    reportFax(ctx as unknown as Services, payload),
  ),
  defineJob('sandbox.deliverFax', faxPayload, async (ctx, payload) => {
    if (!(await deliverFax(ctx as unknown as Services, payload)))
      await ctx.db.systemTransaction((tx) =>
        queueFaxJob(tx, 'sandbox.deliverFax', payload.faxId, 2000),
      );
  }),
];
