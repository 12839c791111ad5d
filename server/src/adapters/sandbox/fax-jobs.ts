/** What the sandbox's fax carrier owes its customer: how faxes it took went, and those that arrived for their numbers. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { House } from '../../platform/context.ts';
import { job } from '../../platform/jobs.ts';
import type { FaxReport } from '../../ports/fax.ts';
import { faxId, oweFax, type FaxWebhook } from './faxes.ts';
import { sayToCustomer } from './text-jobs.ts';
import { trouble, unlucky } from './trouble.ts';

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
const owed = async (house: House, id: number) =>
  (
    await sql<Row>`select f.id, f.outgoing, f.key, f.from_number, f.to_number, f.pages, f.at, p.fax_fails fails from sandbox.fax f left join sandbox.phone p on f.outgoing and p.number = f.to_number where f.id = ${id} and f.reported_at is null`.execute(
      house.db.directory,
    )
  ).rows[0];
const settle = (house: House, id: number, state: string, code: string | null) =>
  sql`update sandbox.fax set reported_at = clock_timestamp(), state = ${state}, code = ${code} where id = ${id}`.execute(
    house.db.directory,
  );
const say = (house: House, said: FaxWebhook) => sayToCustomer(house, 'fax', said);

/** Sending, then delivered (or not): two reports, troubled as the switches say. A fax to a number of this sandbox arrives there. */
async function report(house: House, { faxId: id }: { faxId: number }): Promise<void> {
  const row = await owed(house, id);
  if (!row) return;
  const now = trouble();
  const still = () => house.db.system((tx) => oweFax(tx, 'sandbox.reportFax', id, 2000));
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
  const reports = unlucky(now.reorderRate)
    ? [one(last), one('sending')]
    : [one('sending'), one(last)];
  for (const said of reports)
    for (let n = unlucky(now.duplicateRate) ? 2 : 1; n > 0; n--)
      if (!(await say(house, { reports: [said] }))) {
        await still();
        return;
      }
  await house.db.system(async (tx) => {
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
    if (arrived) await oweFax(tx, 'sandbox.deliverFax', arrived.id, 0);
  });
}

/** A fax an outside phone sent: told until it is taken. Also tried at once by the request that brought it. */
export async function deliverFax(house: House, { faxId: id }: { faxId: number }): Promise<boolean> {
  const row = await owed(house, id);
  if (!row) return true;
  const now = trouble();
  const fax = {
    id: faxId(row.id),
    from: row.from_number,
    to: row.to_number,
    pages: row.pages,
    url: `${house.settings.publicUrl}/sandbox/faxes/${row.id}/document`,
    at: row.at.getTime(),
  };
  for (let n = unlucky(now.duplicateRate) ? 2 : 1; n > 0; n--)
    if (now.outage || !(await say(house, { faxes: [fax] }))) return false;
  await settle(house, id, 'received', null);
  return true;
}

const ofFax = z.object({ faxId: z.number() }).loose();
export const jobs = [
  job('sandbox.reportFax', ofFax, async (ctx, payload) => report(ctx as unknown as House, payload)),
  job('sandbox.deliverFax', ofFax, async (ctx, payload) => {
    if (!(await deliverFax(ctx as unknown as House, payload)))
      await ctx.db.system((tx) => oweFax(tx, 'sandbox.deliverFax', payload.faxId, 2000));
  }),
];
