import { companySettingsOf } from '#contract/settings/rules';
import type { AttributionModel } from '#contract/tracking/pool-rules';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { companyRow } from '../../companies/index.ts';
import type { Milestones } from './credits.ts';

/** How a pool attributes now, also a deleted one. */
interface PoolModel {
  model: AttributionModel;
  lookback_days: number;
}
/** Null: there never was such a pool. */
export const modelOfPool = async (
  tx: Tx,
  companyId: number,
  poolId: number,
): Promise<PoolModel | null> =>
  (
    await sql<PoolModel>`select settings ->> 'attributionModel' as model,
        (settings ->> 'lookbackDays')::int as lookback_days
      from tracking_pool where company_id = ${companyId} and id = ${poolId}`.execute(tx)
  ).rows[0] ?? null;

/** The model of what no pool decides, as the company set it. */
export const defaultModel = async (tx: Tx, companyId: number): Promise<AttributionModel> =>
  companySettingsOf((await companyRow(tx, companyId))?.settings)
    .attribution_model_default as AttributionModel;

/**
 * The first call or text of a person up to a moment: one from this number, or from a page of this
 * visitor. Null: there is none any more.
 * @param party null: the number is withheld, so it could be anyone's
 */
export async function firstContact(
  tx: Tx,
  companyId: number,
  { party, visitorId, until }: { party: string | null; visitorId: string | null; until: Date },
): Promise<Milestones['lead']> {
  const first = (who: ReturnType<typeof sql>) => sql`(select visit_id, at from tracking_match
    where company_id = ${companyId} and ${who} and at <= ${until} order by at limit 1)`;
  const { rows } = await sql<{ visit_id: number | null; at: Date }>`
    select visit_id, at from (${first(sql`party = ${party}`)} union all
      ${first(sql`visitor_id = ${visitorId}`)}) firsts order by at limit 1`.execute(tx);
  return rows[0] ? { visitId: rows[0].visit_id, at: rows[0].at } : null;
}
