import { sql, type Selectable, type Updateable } from 'kysely';
import type { CampaignStatus } from '#contract/campaigns/rules';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import { hasFolded } from '../../platform/folded.ts';

export type CampaignRow = Selectable<Tables['campaign']>;
export type RecipientRow = Selectable<Tables['campaign_recipient']>;
export type CampaignPatch = Updateable<Tables['campaign']>;

/**
 * Whose campaigns are visible: those of these numbers (null: all), and this user's drafts without a
 * number.
 */
export interface CampaignVisibility {
  numbers: readonly number[] | null;
  userId: number;
}
const visibleCampaigns = (tx: Tx, companyId: number, sight: CampaignVisibility | null) => {
  let q = tx.selectFrom('campaign').where('campaign.company_id', '=', companyId);
  const numbers = sight?.numbers;
  if (numbers)
    q = q.where((e) =>
      e.or([
        ...(numbers.length ? [e('number_id', 'in', [...numbers])] : []),
        e.and([e('number_id', 'is', null), e('user_id', '=', sight.userId)]),
      ]),
    );
  return q;
};

/** A campaign that is not deleted and within this visibility (null: all). Undefined: none. */
export const campaignById = (
  tx: Tx,
  companyId: number,
  id: number,
  visibility: CampaignVisibility | null,
  lock = false,
): Promise<CampaignRow | undefined> => {
  const q = visibleCampaigns(tx, companyId, visibility)
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};

/** Campaigns in no order, deleted ones included; unknown IDs are left out. */
export const campaignsByIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<CampaignRow[]> =>
  tx
    .selectFrom('campaign')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', [...new Set(ids)])
    .execute();

interface CampaignFilter {
  status: CampaignStatus | undefined;
  words: string | undefined;
  trash: boolean;
  sort: string;
  dir: 'asc' | 'desc';
  limit: number;
  offset: number;
  now: Date;
}
/**
 * A page of the campaigns within this visibility, and how many there are. `draft` includes those
 * that wait for approval.
 */
export async function campaignPage(
  tx: Tx,
  companyId: number,
  visibility: CampaignVisibility,
  f: CampaignFilter,
): Promise<{ rows: CampaignRow[]; total: number }> {
  let q = visibleCampaigns(tx, companyId, visibility);
  if (!f.trash) q = q.where('deleted_at', 'is', null);
  if (f.words) {
    const words = f.words;
    q = q.where((e) => e.or([hasFolded(e.ref('title'), words), hasFolded(e.ref('text'), words)]));
  }
  switch (f.status) {
    case undefined:
      break;
    case 'draft':
      q = q.where('state', 'in', ['draft', 'pending']);
      break;
    case 'scheduled':
      q = q.where('state', '=', 'queued').where('should_be_sent_at', '>', f.now);
      break;
    case 'in_progress':
      q = q.where((e) =>
        e.or([
          e('state', '=', 'sending'),
          e.and([
            e('state', '=', 'queued'),
            e.or([e('should_be_sent_at', 'is', null), e('should_be_sent_at', '<=', f.now)]),
          ]),
        ]),
      );
      break;
    default:
      q = q.where('state', '=', f.status);
  }
  const rows = await q
    .selectAll()
    .orderBy(sql.ref(f.sort), (o) =>
      f.dir === 'asc' ? o.asc().nullsFirst() : o.desc().nullsLast(),
    )
    .orderBy('id', f.dir)
    .limit(f.limit)
    .offset(f.offset)
    .execute();
  const { n } = await q.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return { rows, total: Number(n) };
}

/** Stores a new campaign. */
export const insertCampaign = (
  tx: Tx,
  row: CampaignPatch & { company_id: number; title: string; created_at: Date; updated_at: Date },
): Promise<CampaignRow> =>
  tx.insertInto('campaign').values(row).returningAll().executeTakeFirstOrThrow();
/** Changes columns of a campaign and returns it. Fails when it doesn't exist. */
export const updateCampaignRow = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: CampaignPatch,
): Promise<CampaignRow> =>
  tx
    .updateTable('campaign')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
/** The columns of a pause, cleared. */
export const clearedPause = {
  paused_reason: null,
  paused_at: null,
  paused_by: null,
  paused_by_name: null,
  auto_resume_at: null,
} as const satisfies CampaignPatch;
/** Campaigns that wait for their carrier are tried now instead of after their wait. */
export const wakeCampaignsWaitingForCarrier = async (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('campaign')
    .set({ wake_at: now })
    .where('company_id', '=', companyId)
    .where('state', '=', 'sending')
    .where('carrier_down_since', 'is not', null)
    .where('wake_at', '>', now)
    .execute();
};
/** Campaigns that send, will send, or wait for their hours. */
export const campaignsUnderWay = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('campaign')
      .select('id')
      .where('company_id', '=', companyId)
      .where((e) =>
        e.or([e('state', 'in', ['queued', 'sending']), e('auto_resume_at', 'is not', null)]),
      )
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map((c) => c.id);
/** Paused campaigns that resume when their hours open. */
export const campaignsWaitingForHours = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('campaign')
      .select('id')
      .where('company_id', '=', companyId)
      .where('state', '=', 'paused')
      .where('wake_at', 'is not', null)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map((c) => c.id);
/**
 * Stores the text of the campaign's current version, so that what was sent stays known after edits.
 */
export const upsertCampaignText = (tx: Tx, c: CampaignRow, at: Date) =>
  tx
    .insertInto('campaign_text')
    .values({
      company_id: c.company_id,
      campaign_id: c.id,
      version: c.text_version,
      text: c.text,
      unsubscribe_text: c.unsubscribe_text,
      media: JSON.stringify(c.media),
      user_id: c.user_id,
      at,
    })
    .onConflict((o) =>
      o.columns(['company_id', 'campaign_id', 'version']).doUpdateSet((e) => ({
        text: e.ref('excluded.text'),
        unsubscribe_text: e.ref('excluded.unsubscribe_text'),
        media: e.ref('excluded.media'),
      })),
    )
    .execute();

/**
 * Campaigns that are due until then, of all companies, the longest waiting first. For the system
 * role.
 */
export const dueCampaigns = async (
  db: Tx,
  until: Date,
  limit: number,
): Promise<{ companyId: number; id: number; at: Date }[]> =>
  (
    await sql<{
      company_id: number;
      id: number;
      wake_at: Date;
    }>`select company_id, id, wake_at from campaign
      where wake_at <= ${until} and deleted_at is null order by wake_at limit ${limit}`.execute(db)
  ).rows.map((r) => ({ companyId: r.company_id, id: r.id, at: r.wake_at }));
