import type { Tx } from '../../platform/db.ts';
import type { AlertRow } from './store.ts';

/** Most points that a chart has: the latest. */
const mostSamples = 500;

/** Stores what an alert measured; once a moment. */
export const insertSample = (
  tx: Tx,
  row: Pick<AlertRow, 'company_id' | 'id'>,
  at: Date,
  value: number,
) =>
  tx
    .insertInto('alert_sample')
    .values({ company_id: row.company_id, alert_id: row.id, at, value })
    .onConflict((c) => c.doNothing())
    .execute();

/** What an alert measured each time it changed, oldest first. */
export const samplesOf = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<{ at: Date; value: number }[]> =>
  (
    await tx
      .selectFrom('alert_sample')
      .select(['at', 'value'])
      .where('company_id', '=', companyId)
      .where('alert_id', '=', id)
      .orderBy('at', 'desc')
      .limit(mostSamples)
      .execute()
  ).toReversed();
