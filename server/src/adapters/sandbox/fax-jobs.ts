/** The sandbox fax carrier's reports to its customer: results of sent faxes, and received faxes. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { Services } from '../../platform/context.ts';
import { jobKind } from '../../platform/job-kind.ts';
import { runJob } from '../../platform/jobs.ts';
import type { FaxReport } from '../../gateways/fax.ts';
import { faxId, queueFaxJob, type FaxWebhook } from './faxes.ts';
import { postToCustomer } from './text-jobs.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';

// The system role: the simulated carrier’s own tables have no company.

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
    await sql<Row>`select f.id, f.outgoing, f.key, f.from_number, f.to_number, f.pages, f.at,
      p.fax_fails fails from sandbox.fax f left join sandbox.phone p on f.outgoing
      and p.number = f.to_number where f.id = ${id} and f.reported_at is null`.execute(
      services.db.unscoped,
    )
  ).rows[0];
const setState = (services: Services, id: number, state: string, code: string | null) =>
  sql`update sandbox.fax set reported_at = clock_timestamp(), state = ${state},
    code = ${code} where id = ${id}`.execute(services.db.unscoped);
const postFaxWebhook = (services: Services, webhook: FaxWebhook) =>
  postToCustomer(services, 'fax', webhook);

/**
 * Reports `sending`, then the result, with the injected faults. A fax to a number of this sandbox
 * arrives there.
 */
async function reportFax(services: Services, { faxId: id }: { faxId: number }): Promise<void> {
  const row = await faxRow(services, id);
  if (!row) return;
  const faults = currentFaults();
  const retry = () =>
    services.db.systemTransaction((tx) => queueFaxJob(tx, 'sandbox.reportFax', id, 2000));
  if (faults.outage) {
    await retry();
    return;
  }
  const result = row.fails ? 'failed' : 'delivered';
  const report = (state: FaxReport['state']): FaxReport => ({
    providerId: faxId(row.id),
    key: row.key,
    state,
    code: state === 'failed' ? row.fails : null,
    at: row.at.getTime(),
  });
  const reports = shouldFail(faults.reorderRate)
    ? [report(result), report('sending')]
    : [report('sending'), report(result)];
  for (const each of reports)
    for (let n = shouldFail(faults.duplicateRate) ? 2 : 1; n > 0; n--)
      if (!(await postFaxWebhook(services, { reports: [each] }))) {
        await retry();
        return;
      }
  await services.db.systemTransaction(async (tx) => {
    const updated = (
      await sql<{
        id: number;
      }>`update sandbox.fax set reported_at = clock_timestamp(), state = ${result},
        code = ${row.fails} where id = ${id} and reported_at is null returning id`.execute(tx)
    ).rows[0];
    if (!updated || row.fails) return;
    const received = (
      await sql<{
        id: number;
      }>`insert into sandbox.fax (outgoing, from_number, to_number, document,
          content_type, pages, state, at)
      select false, f.from_number, f.to_number, f.document, f.content_type, f.pages, 'received',
        clock_timestamp() from sandbox.fax f join number_directory d on d.number = f.to_number
        where f.id = ${id} returning id`.execute(tx)
    ).rows[0];
    if (received) await queueFaxJob(tx, 'sandbox.deliverFax', received.id, 0);
  });
}

/**
 * Delivers a fax from an outside phone to the customer. False when the customer did not accept it.
 * Called by the request that brought the fax, and by its job until it succeeds.
 */
export async function deliverFax(
  services: Services,
  { faxId: id }: { faxId: number },
): Promise<boolean> {
  const row = await faxRow(services, id);
  if (!row) return true;
  const faults = currentFaults();
  const fax = {
    id: faxId(row.id),
    from: row.from_number,
    to: row.to_number,
    pages: row.pages,
    url: `${services.settings.publicUrl}/sandbox/faxes/${row.id}/document`,
    at: row.at.getTime(),
  };
  for (let n = shouldFail(faults.duplicateRate) ? 2 : 1; n > 0; n--)
    if (faults.outage || !(await postFaxWebhook(services, { faxes: [fax] }))) return false;
  await setState(services, id, 'received', null);
  return true;
}

const faxPayload = z.object({ faxId: z.number() }).loose();
export const jobs = [
  runJob(
    jobKind('sandbox.reportFax', faxPayload, {
      queue: 'default',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    async (ctx, payload) => reportFax(ctx as unknown as Services, payload),
  ),
  runJob(
    jobKind('sandbox.deliverFax', faxPayload, {
      queue: 'default',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    async (ctx, payload) => {
      if (!(await deliverFax(ctx as unknown as Services, payload)))
        await ctx.db.systemTransaction((tx) =>
          queueFaxJob(tx, 'sandbox.deliverFax', payload.faxId, 2000),
        );
    },
  ),
];
