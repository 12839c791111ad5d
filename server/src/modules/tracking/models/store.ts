import { isFeatureOn } from '#contract/numbers/features/rules';
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

/** Models that credit one visit only. */
const singleTouch: readonly AttributionModel[] = [
  'first_touch',
  'last_touch',
  'last_non_direct',
  'lead_creation',
];

/**
 * The model by which the company's calls are credited when this one is asked for: itself, or the first
 * visit where multi-touch attribution is off and it would credit several.
 */
export async function allowedModel(
  tx: Tx,
  companyId: number,
): Promise<(model: AttributionModel) => AttributionModel> {
  const settings = (await companyRow(tx, companyId))?.settings;
  return isFeatureOn(settings, 'multi-touch-attribution')
    ? (model) => model
    : (model) => (singleTouch.includes(model) ? model : 'first_touch');
}

/** The model and the days of what no pool decides, as the company set them. */
export async function defaultModel(tx: Tx, companyId: number): Promise<PoolModel> {
  const settings = companySettingsOf((await companyRow(tx, companyId))?.settings);
  return {
    model: settings.attribution_model_default as AttributionModel,
    lookback_days: settings.lookback_days,
  };
}

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
