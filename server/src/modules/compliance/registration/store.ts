import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { NumberState, ReviewStatus } from './rules.ts';

export const owns = [
  'sms_brand',
  'sms_campaign',
  'registration_review',
  'sms_campaign_number',
  'registration_event',
] as const;
export type BrandRow = Selectable<Tables['sms_brand']>;
export type CampaignRow = Selectable<Tables['sms_campaign']>;
export type ReviewRow = Omit<Selectable<Tables['registration_review']>, 'kind' | 'status'> & {
  kind: RegistrationKind;
  status: ReviewStatus;
};
export type CampaignNumberRow = Omit<
  Selectable<Tables['sms_campaign_number']>,
  'kind' | 'state'
> & { kind: RegistrationKind; state: NumberState; label: string };
export type HistoryRow = Selectable<Tables['registration_event']>;

const activeCampaigns = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('sms_campaign')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
/** One campaign that is not deleted. `lock` serializes changes to a registration. */
export const campaignById = (
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<CampaignRow | undefined> => {
  const q = activeCampaigns(tx, companyId).where('id', '=', id);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};

export async function campaignPage(
  tx: Tx,
  companyId: number,
  filter: {
    status: string | undefined;
    search: string | undefined;
    numberId: number | undefined;
    sort: 'created_at' | 'updated_at' | 'brand';
    dir: 'asc' | 'desc';
    limit: number;
    offset: number;
  },
): Promise<{ rows: CampaignRow[]; total: number }> {
  const like = filter.search ? `%${filter.search.replace(/[%_\\]/g, '\\$&')}%` : null;
  const where = sql`c.company_id = ${companyId} and c.deleted_at is null
    ${filter.status === 'draft' ? sql`and not exists (select from registration_review r where r.company_id = c.company_id and r.campaign_id = c.id)` : filter.status ? sql`and exists (select from registration_review r where r.company_id = c.company_id and r.campaign_id = c.id and r.status = ${filter.status})` : sql``}
    ${filter.numberId ? sql`and exists (select from sms_campaign_number n where n.company_id = c.company_id and n.campaign_id = c.id and n.number_id = ${filter.numberId})` : sql``}
    ${like ? sql`and (b.details ->> 'legal_name' ilike ${like} or b.details ->> 'dba' ilike ${like} or c.details ->> 'description' ilike ${like} or c.details ->> 'use_case' ilike ${like})` : sql``}`;
  const from = sql`from sms_campaign c join sms_brand b on b.company_id = c.company_id and b.id = c.brand_id where ${where}`;
  const order = {
    created_at: sql`c.created_at`,
    updated_at: sql`c.updated_at`,
    brand: sql`lower(b.details ->> 'legal_name')`,
  }[filter.sort];
  const { rows } =
    await sql<CampaignRow>`select c.* ${from} order by ${order} ${filter.dir === 'asc' ? sql`asc` : sql`desc`} nulls last, c.id desc limit ${filter.limit} offset ${filter.offset}`.execute(
      tx,
    );
  const total = (await sql<{ n: number }>`select count(*)::int n ${from}`.execute(tx)).rows[0]!.n;
  return { rows, total };
}
export const insertCampaign = (
  tx: Tx,
  row: Insertable<Tables['sms_campaign']>,
): Promise<CampaignRow> =>
  tx.insertInto('sms_campaign').values(row).returningAll().executeTakeFirstOrThrow();
export const updateCampaign = (
  tx: Tx,
  companyId: number,
  id: number,
  change: Updateable<Tables['sms_campaign']>,
): Promise<CampaignRow> =>
  tx
    .updateTable('sms_campaign')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const brandsByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, BrandRow>> =>
  new Map(
    ids.length
      ? (
          await tx
            .selectFrom('sms_brand')
            .selectAll()
            .where('company_id', '=', companyId)
            .where('id', 'in', [...new Set(ids)])
            .execute()
        ).map((b) => [b.id, b])
      : [],
  );
export const insertBrand = (tx: Tx, row: Insertable<Tables['sms_brand']>): Promise<BrandRow> =>
  tx.insertInto('sms_brand').values(row).returningAll().executeTakeFirstOrThrow();
export const updateBrand = (
  tx: Tx,
  companyId: number,
  id: number,
  change: Updateable<Tables['sms_brand']>,
): Promise<BrandRow> =>
  tx
    .updateTable('sms_brand')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const reviewsOf = async (
  tx: Tx,
  companyId: number,
  campaignIds: readonly number[],
): Promise<ReviewRow[]> =>
  campaignIds.length
    ? ((await tx
        .selectFrom('registration_review')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('campaign_id', 'in', [...campaignIds])
        .orderBy('kind')
        .execute()) as ReviewRow[])
    : [];
export const openReview = (
  tx: Tx,
  row: {
    company_id: number;
    campaign_id: number;
    kind: RegistrationKind;
    carrier: string;
    submitted_at: Date;
  },
) =>
  tx
    .insertInto('registration_review')
    .values({ ...row, status: 'submitted' })
    .onConflict((c) =>
      c.columns(['company_id', 'campaign_id', 'kind']).doUpdateSet((e) => ({
        status: 'submitted',
        carrier: row.carrier,
        attempt: e('registration_review.attempt', '+', 1),
        provider_ref: null,
        rejection: '[]',
        submitted_at: row.submitted_at,
        decided_at: null,
        checked_at: null,
      })),
    )
    .execute();
export const updateReview = (
  tx: Tx,
  companyId: number,
  campaignId: number,
  kind: RegistrationKind,
  change: Updateable<Tables['registration_review']>,
) =>
  tx
    .updateTable('registration_review')
    .set(change)
    .where('company_id', '=', companyId)
    .where('campaign_id', '=', campaignId)
    .where('kind', '=', kind)
    .execute();
/**
 * The review with a carrier's reference. Runs as the system role, because the company is not known
 * yet.
 */
export const reviewByRef = (db: Tx, carrier: string, ref: string) =>
  db
    .selectFrom('registration_review')
    .select(['company_id', 'campaign_id', 'kind'])
    .where('provider_ref', '=', ref)
    .where('carrier', '=', carrier)
    .executeTakeFirst();
/**
 * Enqueues a status check for every pending review not checked since `before`. Across companies, as
 * the system role.
 */
export const enqueueStaleReviews = (tx: Tx, before: Date) =>
  sql`select enqueue_job('registration.poll', json_build_object('companyId', company_id, 'campaignId', campaign_id, 'kind', kind), 'registration:' || company_id || ':' || campaign_id, null, 3, null, null)
    from registration_review where status in ('submitted', 'in_review', 'canceling') and provider_ref is not null and submitted_at < ${before} and (checked_at is null or checked_at < ${before})`.execute(
    tx,
  );

export interface RegistrableNumber {
  id: number;
  number: string;
  label: string;
  category: number;
  live: boolean;
  sms_enabled: boolean;
  provider_id: number;
}
export const registrableByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<RegistrableNumber[]> =>
  ids.length
    ? (
        await sql<RegistrableNumber>`select * from registrable_numbers(${companyId}) where id = any(${[...new Set(ids)]}::bigint[])`.execute(
          tx,
        )
      ).rows
    : [];
export const campaignNumbers = async (
  tx: Tx,
  companyId: number,
  campaignIds: readonly number[],
): Promise<CampaignNumberRow[]> =>
  campaignIds.length
    ? (
        await sql<CampaignNumberRow>`select n.*, coalesce(r.label, '') label from sms_campaign_number n left join registrable_numbers(${companyId}) r on r.id = n.number_id
    where n.company_id = ${companyId} and n.campaign_id = any(${[...campaignIds]}::bigint[]) order by n.added_at, n.number`.execute(
          tx,
        )
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
    select n.campaign_id, c.brand_id, n.kind, n.state, coalesce(n.reason, r.rejection -> 0 ->> 'text') reason, r.status review, b.score, c.details ->> 'monthly_volume' volume, c.details ->> 'use_case' use_case
    from sms_campaign_number n join sms_campaign c on c.company_id = n.company_id and c.id = n.campaign_id and c.deleted_at is null join sms_brand b on b.company_id = c.company_id and b.id = c.brand_id
    left join registration_review r on r.company_id = n.company_id and r.campaign_id = n.campaign_id and r.kind = n.kind where n.company_id = ${companyId} and n.number_id = ${numberId}`.execute(
      tx,
    )
  ).rows[0];

export const insertHistory = (
  tx: Tx,
  row: {
    company_id: number;
    campaign_id: number;
    what: string;
    kind: RegistrationKind | null;
    by_name: string;
    rejection?: unknown;
    numbers?: unknown;
    at: Date;
  },
) =>
  tx
    .insertInto('registration_event')
    .values({
      ...row,
      rejection: JSON.stringify(row.rejection ?? []),
      numbers: JSON.stringify(row.numbers ?? []),
    })
    .execute();
export const historyOf = (tx: Tx, companyId: number, campaignId: number): Promise<HistoryRow[]> =>
  tx
    .selectFrom('registration_event')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('campaign_id', '=', campaignId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
