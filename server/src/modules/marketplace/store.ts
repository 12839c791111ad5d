import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { marketplace as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

type ListingRow = Selectable<Tables['marketplace_number']>;
/**
 * A listing. `reserved_offer_id` is the accepted offer whose price holds for this reservation only.
 */
export interface ListingRecord extends ListingRow {
  category: 'toll_free' | 'local';
  tier: 'standard' | 'premium' | 'exclusive';
  channel: 'own' | 'partner' | 'listing_site';
  status: contract.MarketplaceStatus;
  pricing_type: 'lease' | 'assignment' | 'make_offer';
  images: string[];
}
export interface ListingView extends ListingRecord {
  views: number;
  inquiries: number;
  offers_count: number;
  last_inquiry_at: Date | null;
  calls_30d: number;
  misdials_30d: number;
}
/** What a change may set. */
export type ListingColumns = Partial<Omit<ListingRecord, 'company_id' | 'id' | 'images'>>;

/** Views, inquiries and offers of the listing `m`. */
export const counters = sql`
  (select count(*)::int from marketplace_view v
    where v.company_id = m.company_id and v.marketplace_id = m.id) views,
  (select count(*)::int from marketplace_inquiry q
    where q.company_id = m.company_id and q.marketplace_id = m.id) inquiries,
  (select count(*)::int from marketplace_offer o
    where o.company_id = m.company_id and o.marketplace_id = m.id) offers_count,
  (select max(q.at) from marketplace_inquiry q
    where q.company_id = m.company_id and q.marketplace_id = m.id) last_inquiry_at`;

/** Adds calls of the last 30 days to listings, for the rows shown only. */
export const withCalls = (rows: RawBuilder<unknown>, now: Date) => sql<ListingView>`
  select m.*, coalesce(c.calls, 0) calls_30d, coalesce(c.misdials, 0) misdials_30d
  from (${rows}) m
  left join lateral number_calls_since(
    m.company_id, m.number_id,
      ${new Date(now.getTime() - 30 * 86_400_000)}::timestamptz) c on true`;

/** Undefined: the company has no such listing. */
export async function readListing(
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<ListingView | undefined> {
  const listing = sql`select m.*, ${counters} from marketplace_number m
    where m.company_id = ${companyId} and m.id = ${id}`;
  return (await withCalls(listing, now).execute(tx)).rows[0];
}

/** The listing, locked until the transaction ends. Undefined: the company has no such listing. */
export const lockListingRow = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<ListingRecord | undefined> =>
  (
    await sql<ListingRecord>`select m.* from marketplace_number m
      where m.company_id = ${companyId} and m.id = ${id} for update`.execute(tx)
  ).rows[0];

/**
 * The listing of one of the company's own numbers, locked. Undefined: none, or it was withdrawn.
 */
export const lockListingOf = async (
  tx: Tx,
  companyId: number,
  own: { numberId: number; number: string },
): Promise<ListingRecord | undefined> =>
  (
    await sql<ListingRecord>`select m.* from marketplace_number m
      where m.company_id = ${companyId} and m.number = ${own.number}
        and m.number_id = ${own.numberId} and m.status <> 'withdrawn' for update`.execute(tx)
  ).rows[0];

/**
 * The company a listing belongs to; null: no such listing. As the system role: buyers are of other
 * companies.
 */
export const listerCompanyOf = async (db: Tx, id: number): Promise<number | null> =>
  (
    await db
      .selectFrom('marketplace_number')
      .select('company_id')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.company_id ?? null;

/** The latest 100 inquiries about a listing, newest first. */
export const inquiriesOf = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('marketplace_inquiry')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('at', 'desc')
    .limit(100)
    .execute();

/** The latest 200 entries of a listing's timeline, newest first. */
export const eventsOf = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('marketplace_event')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();

/** Changes columns of a marketplace number. */
export const updateListingRow = (tx: Tx, companyId: number, id: number, set: ListingColumns) =>
  tx
    .updateTable('marketplace_number')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Returns the new listing's id; null: the number is listed already. */
export async function insertListing(
  tx: Tx,
  item: {
    company_id: number;
    number: string;
    number_id: number | null;
    category: string;
    area_code: string;
    region: string;
    vanity_text: string | null;
    words: string[];
    legal_notice: string;
    created_by: number | null;
    created_at: Date;
    updated_at: Date;
  },
): Promise<number | null> {
  const inserted = await tx
    .insertInto('marketplace_number')
    .values(item)
    .onConflict((c) =>
      c.columns(['company_id', 'number']).where('status', '<>', 'withdrawn').doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/**
 * Adds to a listing's history. `status`: the new one, null when it stays; `by_name`: null for the
 * product itself.
 */
export const insertEvent = (
  tx: Tx,
  e: {
    company_id: number;
    marketplace_id: number;
    kind: string;
    text: string;
    status: string | null;
    by_name: string | null;
    at: Date;
  },
) => tx.insertInto('marketplace_event').values(e).execute();

/** Counts a visitor once a day. */
export const insertView = (
  tx: Tx,
  v: { company_id: number; marketplace_id: number; day: string; visitor: string; at: Date },
) =>
  tx
    .insertInto('marketplace_view')
    .values(v)
    .onConflict((c) => c.doNothing())
    .execute();

/** Returns the new inquiry's id. */
export const insertInquiry = async (
  tx: Tx,
  q: {
    company_id: number;
    marketplace_id: number;
    name: string;
    email: string;
    message: string;
    at: Date;
  },
): Promise<number> =>
  (await tx.insertInto('marketplace_inquiry').values(q).returning('id').executeTakeFirstOrThrow())
    .id;

/**
 * From here on the transaction acts in this company: a buyer's actions are stored with the listing.
 */
export const setCompany = (tx: Tx, companyId: number) =>
  sql`select set_config('app.company_id', ${String(companyId)}, true)`.execute(tx);

/** True: another listing of the company has this slug. */
export const isSlugTaken = async (
  tx: Tx,
  companyId: number,
  id: number,
  slug: string,
): Promise<boolean> =>
  (
    await tx
      .selectFrom('marketplace_number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('seo_slug', '=', slug)
      .where('id', '<>', id)
      .execute()
  ).length > 0;
