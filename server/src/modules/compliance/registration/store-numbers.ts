import { sql, type Insertable, type Selectable } from 'kysely';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { NumberState, ReviewStatus } from './rules.ts';

export type CampaignNumberRow = Omit<
  Selectable<Tables['sms_campaign_number']>,
  'kind' | 'state'
> & { kind: RegistrationKind; state: NumberState; label: string };
export interface RegistrableNumber {
  id: number;
  number: string;
  label: string;
  category: number;
  live: boolean;
  sms_enabled: boolean;
  provider_id: number;
}
/**
 * Those of these numbers that the company has, with what decides whether they can be registered.
 */
export const registrableByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<RegistrableNumber[]> =>
  ids.length
    ? (
        await sql<RegistrableNumber>`select * from registrable_numbers(${companyId})
          where id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
      ).rows
    : [];
/** The numbers of these campaigns, in the order they were added. */
export const campaignNumbers = async (
  tx: Tx,
  companyId: number,
  campaignIds: readonly number[],
): Promise<CampaignNumberRow[]> =>
  campaignIds.length
    ? (
        await sql<CampaignNumberRow>`select n.*, coalesce(r.label, '') label
          from sms_campaign_number n
          left join registrable_numbers(${companyId}) r on r.id = n.number_id
    where n.company_id = ${companyId} and n.campaign_id = any(${[...campaignIds]}::bigint[])
      order by n.added_at, n.number`.execute(tx)
      ).rows
    : [];
/** Adds a number to a registration; `undefined` if it is part of one already. */
export const insertNumber = (tx: Tx, row: Insertable<Tables['sms_campaign_number']>) =>
  tx
    .insertInto('sms_campaign_number')
    .values(row)
    .onConflict((c) => c.columns(['company_id', 'number_id']).doNothing())
    .returning('number_id')
    .executeTakeFirst();
/** Those of these numbers that are part of another campaign. */
export const numbersInOtherCampaigns = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  exceptCampaignId: number,
) =>
  ids.length
    ? tx
        .selectFrom('sms_campaign_number')
        .select(['number_id', 'number', 'campaign_id'])
        .where('company_id', '=', companyId)
        .where('number_id', 'in', [...ids])
        .where('campaign_id', '<>', exceptCampaignId)
        .execute()
    : Promise.resolve([]);
/** Sets the state of numbers in a campaign. `reason`: why the carrier refused; null clears it. */
export const updateNumbers = (
  tx: Tx,
  companyId: number,
  campaignId: number,
  numberIds: readonly number[],
  change: { state: NumberState; reason?: string | null },
) =>
  numberIds.length
    ? tx
        .updateTable('sms_campaign_number')
        .set(change)
        .where('company_id', '=', companyId)
        .where('campaign_id', '=', campaignId)
        .where('number_id', 'in', [...numberIds])
        .execute()
    : Promise.resolve([]);
/** Takes numbers out of a campaign. */
export const removeNumbers = (
  tx: Tx,
  companyId: number,
  campaignId: number,
  numberIds: readonly number[],
) =>
  numberIds.length
    ? tx
        .deleteFrom('sms_campaign_number')
        .where('company_id', '=', companyId)
        .where('campaign_id', '=', campaignId)
        .where('number_id', 'in', [...numberIds])
        .execute()
    : Promise.resolve([]);

/**
 * A number's registration: its row, the review of its kind, and what its send rate is computed
 * from. `undefined` if it is in none.
 */
export const numberRegistration = async (tx: Tx, companyId: number, numberId: number) =>
  (
    await sql<{
      campaign_id: number;
      brand_id: number;
      kind: RegistrationKind;
      state: NumberState;
      reason: string | null;
      review: ReviewStatus | null;
      score: number | null;
      volume: string | null;
      use_case: string | null;
    }>`
    select n.campaign_id, c.brand_id, n.kind,
      n.state, coalesce(n.reason, r.rejection -> 0 ->> 'text') reason, r.status review, b.score,
      c.details ->> 'monthly_volume' volume, c.details ->> 'use_case' use_case
    from sms_campaign_number n
      join sms_campaign c on c.company_id = n.company_id and c.id = n.campaign_id
      and c.deleted_at is null join sms_brand b on b.company_id = c.company_id and b.id = c.brand_id
    left join registration_review r on r.company_id = n.company_id
      and r.campaign_id = n.campaign_id and r.kind = n.kind
      where n.company_id = ${companyId} and n.number_id = ${numberId}`.execute(tx)
  ).rows[0];
