import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ReviewStatus } from './rules.ts';
import { foldedPattern } from '../../../platform/folded.ts';

/** A registration of one kind (local or toll-free) of a campaign. */
export interface RegistrationKey {
  campaignId: number;
  kind: RegistrationKind;
}

export type BrandRow = Selectable<Tables['sms_brand']>;
export type CampaignRow = Selectable<Tables['sms_campaign']>;
export type ReviewRow = Omit<Selectable<Tables['registration_review']>, 'kind' | 'status'> & {
  kind: RegistrationKind;
  status: ReviewStatus;
};
type HistoryRow = Selectable<Tables['registration_event']>;

const activeCampaigns = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('sms_campaign')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
/**
 * A registration that is not deleted. `lock` serializes changes to it. Undefined: none of this ID.
 */
export const campaignById = (
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<CampaignRow | undefined> => {
  const q = activeCampaigns(tx, companyId).where('id', '=', id);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};

/** One page of campaigns and the total. `status` matches any review; `draft` means no review. */
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
  const like = filter.search ? foldedPattern(filter.search) : null;
  const where = sql`c.company_id = ${companyId} and c.deleted_at is null
    ${
      filter.status === 'draft'
        ? sql`and not exists (select
        from registration_review r where r.company_id = c.company_id
        and r.campaign_id = c.id)`
        : filter.status
          ? sql`and exists (select
        from registration_review r where r.company_id = c.company_id
        and r.campaign_id = c.id and r.status = ${filter.status})`
          : sql``
    }
    ${
      filter.numberId
        ? sql`and exists (select
        from sms_campaign_number n where n.company_id = c.company_id
        and n.campaign_id = c.id and n.number_id = ${filter.numberId})`
        : sql``
    }
    ${
      like
        ? sql`and (folded(b.details ->> 'legal_name') like ${like}
        or folded(b.details ->> 'dba') like ${like} or folded(c.details ->> 'description') like ${like}
        or folded(c.details ->> 'use_case') like ${like})`
        : sql``
    }`;
  const from = sql`from sms_campaign c
    join sms_brand b on b.company_id = c.company_id and b.id = c.brand_id where ${where}`;
  const order = {
    created_at: sql`c.created_at`,
    updated_at: sql`c.updated_at`,
    brand: sql`folded(b.details ->> 'legal_name')`,
  }[filter.sort];
  const { rows } = await sql<CampaignRow>`select c.* ${from}
      order by ${order} ${filter.dir === 'asc' ? sql`asc` : sql`desc`} nulls last, c.id desc
      limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const total = (await oneRow(tx, sql<{ n: number }>`select count(*)::int n ${from}`)).n;
  return { rows, total };
}
/** Stores a new registration. */
export const insertCampaign = (
  tx: Tx,
  row: Insertable<Tables['sms_campaign']>,
): Promise<CampaignRow> =>
  tx.insertInto('sms_campaign').values(row).returningAll().executeTakeFirstOrThrow();
/** Changes columns of a registration and returns it. Fails when it doesn't exist. */
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

/** The brand that the campaign belongs to. */
export const brandOfCampaign = (tx: Tx, campaign: CampaignRow): Promise<BrandRow> =>
  tx
    .selectFrom('sms_brand')
    .selectAll()
    .where('company_id', '=', campaign.company_id)
    .where('id', '=', campaign.brand_id)
    .executeTakeFirstOrThrow();
/** Brands by id; ids of other companies are missing from the map. */
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
/** Stores a new brand. */
export const insertBrand = (tx: Tx, row: Insertable<Tables['sms_brand']>): Promise<BrandRow> =>
  tx.insertInto('sms_brand').values(row).returningAll().executeTakeFirstOrThrow();
/** Changes columns of a brand and returns it. Fails when it doesn't exist. */
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

/** The registrations (10DLC, toll-free) of these campaigns, with their state at the carrier. */
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
/** Registrations of all companies that are approved for local numbers. */
export const approvedCampaigns = (
  tx: Tx,
): Promise<Pick<CampaignRow, 'company_id' | 'id' | 'details'>[]> =>
  tx
    .selectFrom('sms_campaign as c')
    .innerJoin('registration_review as r', (join) =>
      join.onRef('r.company_id', '=', 'c.company_id').onRef('r.campaign_id', '=', 'c.id'),
    )
    .select(['c.company_id', 'c.id', 'c.details'])
    .where('r.kind', '=', 'local')
    .where('r.status', '=', 'approved')
    .where('c.deleted_at', 'is', null)
    .execute();
/**
 * Starts a review, or the next attempt of one that ended; a new attempt forgets the carrier's
 * reference and objections.
 */
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
/** Changes the registration of one kind of a campaign. */
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
 * yet. Undefined: none.
 */
export const reviewByRef = (db: Tx, carrier: string, ref: string) =>
  db
    .selectFrom('registration_review')
    .select(['company_id', 'campaign_id', 'kind'])
    .where('provider_ref', '=', ref)
    .where('carrier', '=', carrier)
    .$narrowType<{ kind: RegistrationKind }>()
    .executeTakeFirst();
/**
 * Enqueues a status check for every pending review not checked since `before`. Across companies, as
 * the system role.
 */
export const enqueueStaleReviews = (tx: Tx, before: Date) =>
  sql`select enqueue_job('registration.poll',
      json_build_object('companyId', company_id, 'campaignId', campaign_id, 'kind', kind),
      'registration:' || company_id || ':' || campaign_id, null, 3, null, null)
    from registration_review
      where status in ('submitted', 'in_review', 'canceling') and provider_ref is not null
      and submitted_at < ${before} and (checked_at is null or checked_at < ${before})`.execute(tx);

/** Adds an entry to a campaign's history. `kind` is null for what concerns both registrations. */
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
/** The latest 200 history entries, newest first. */
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
