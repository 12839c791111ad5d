import { sql } from 'kysely';
import type { marketplace as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';

export const owns = [
  'marketplace_number',
  'marketplace_view',
  'marketplace_inquiry',
  'marketplace_offer',
  'marketplace_event',
] as const;

export interface ListingRecord {
  company_id: number;
  id: number;
  number: string;
  number_id: number | null;
  vanity_text: string | null;
  words: string[];
  category: 'toll_free' | 'local';
  area_code: string;
  region: string;
  tier: 'standard' | 'premium' | 'exclusive';
  pattern: string | null;
  channel: 'own' | 'partner' | 'listing_site';
  partner_name: string | null;
  status: contract.MarketplaceStatus;
  pricing_type: 'lease' | 'assignment' | 'make_offer';
  monthly_cents: number;
  setup_cents: number;
  minimum_term_months: number;
  minimum_offer_cents: number | null;
  exclusive_states: string[];
  exclusive_area_codes: string[];
  industries: string[];
  description: string;
  seo_slug: string | null;
  images: string[];
  featured: boolean;
  resp_org: string | null;
  portable: boolean;
  contact_email: string | null;
  notes: string;
  legal_notice: string;
  listed_at: Date | null;
  first_listed_at: Date | null;
  reserved_until: Date | null;
  reserved_by_company_id: number | null;
  lessee_company_id: number | null;
  lessee_name: string | null;
  leased_at: Date | null;
  lease_term_months: number | null;
  lease_monthly_cents: number | null;
  lease_ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** The accepted offer this number is reserved for: its price holds for that reservation only. */
  reserved_offer_id: number | null;
  lease_setup_cents: number | null;
  lease_notice_at: Date | null;
  lease_notified_days: number | null;
  withdraws_at_end: boolean;
  assigned_at: Date | null;
  assigned_to: string | null;
  assigned_cents: number | null;
}
export interface ListingView extends ListingRecord {
  views: number;
  inquiries: number;
  offers_count: number;
  last_inquiry_at: Date | null;
  calls_30d: number;
  misdials_30d: number;
}
const counters = sql`(select count(*)::int from marketplace_view v where v.company_id = m.company_id and v.marketplace_id = m.id) views, (select count(*)::int from marketplace_inquiry q where q.company_id = m.company_id and q.marketplace_id = m.id) inquiries,
  (select count(*)::int from marketplace_offer o where o.company_id = m.company_id and o.marketplace_id = m.id) offers_count, (select max(q.at) from marketplace_inquiry q where q.company_id = m.company_id and q.marketplace_id = m.id) last_inquiry_at`;

/** Calls to the company's own number in 30 days, and those of them that were over within ten seconds of an answer: wrong numbers, mostly. Counted in its timeline, for the rows shown only. */
const withCalls = (
  rows: ReturnType<typeof sql>,
  now: Date,
) => sql<ListingView>`select m.*, coalesce(c.calls, 0) calls_30d, coalesce(c.misdials, 0) misdials_30d from (${rows}) m left join lateral (
    select count(*)::int calls, count(*) filter (where e.after ->> 'outcome' = '1' and (e.after ->> 'talkSeconds')::numeric < 10)::int misdials from number_event e
    where e.company_id = m.company_id and e.number_id = m.number_id and e.at >= ${new Date(now.getTime() - 30 * 86_400_000)} and e.type = 'call' and e.after ->> 'outbound' is distinct from 'true') c on true`;

export const readListing = async (
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<ListingView | undefined> =>
  (
    await withCalls(
      sql`select m.*, ${counters} from marketplace_number m where m.company_id = ${companyId} and m.id = ${id}`,
      now,
    ).execute(tx)
  ).rows[0];
export const lockListingRow = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<ListingRecord | undefined> =>
  (
    await sql<ListingRecord>`select m.* from marketplace_number m where m.company_id = ${companyId} and m.id = ${id} for update`.execute(
      tx,
    )
  ).rows[0];
/** Whose is it? Asked with the system role: buyers are of other companies. */
export const listerCompanyOf = async (db: Tx, id: number): Promise<number | null> =>
  (
    await db
      .selectFrom('marketplace_number')
      .select('company_id')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.company_id ?? null;
export const offersOf = async (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('marketplace_offer')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
export const inquiriesOf = async (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('marketplace_inquiry')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('at', 'desc')
    .limit(100)
    .execute();
export const eventsOf = async (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('marketplace_event')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();

export type ListingColumns = Partial<Omit<ListingRecord, 'company_id' | 'id' | 'images'>> & {
  withdrawn_at?: Date;
};
export const updateListingRow = (tx: Tx, companyId: number, id: number, set: ListingColumns) =>
  tx
    .updateTable('marketplace_number')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Null: the number is on the marketplace already. */
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
  const once = await tx
    .insertInto('marketplace_number')
    .values(item)
    .onConflict((c) =>
      c.columns(['company_id', 'number']).where('status', '<>', 'withdrawn').doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return once?.id ?? null;
}
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
export const insertView = (
  tx: Tx,
  v: { company_id: number; marketplace_id: number; day: string; visitor: string; at: Date },
) =>
  tx
    .insertInto('marketplace_view')
    .values(v)
    .onConflict((c) => c.doNothing())
    .execute();
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
) =>
  (await tx.insertInto('marketplace_inquiry').values(q).returning('id').executeTakeFirstOrThrow())
    .id;
export const insertOffer = (
  tx: Tx,
  o: {
    company_id: number;
    marketplace_id: number;
    buyer_company_id: number;
    buyer_name: string;
    buyer_email: string;
    amount_cents: number;
    term_months: number;
    message: string;
    created_at: Date;
    expires_at: Date;
  },
) => tx.insertInto('marketplace_offer').values(o).returningAll().executeTakeFirstOrThrow();
const offerColumns = [
  'id',
  'buyer_company_id',
  'buyer_name',
  'buyer_email',
  'amount_cents',
  'term_months',
] as const;
export type Offer = Pick<
  Awaited<ReturnType<typeof offersOf>>[number],
  (typeof offerColumns)[number]
>;
/** An open offer of this listing is decided; undefined: there is no such offer, or its time is over. */
export const decideOpenOffer = (
  tx: Tx,
  companyId: number,
  id: number,
  offerId: number,
  status: 'accepted' | 'declined',
  at: Date,
) =>
  tx
    .updateTable('marketplace_offer')
    .set({ status, decided_at: at })
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .where('id', '=', offerId)
    .where('status', '=', 'open')
    .where('expires_at', '>', at)
    .returning(offerColumns)
    .executeTakeFirst();
/** Every open offer of this listing is declined; answers them. */
export const declineOffers = (tx: Tx, companyId: number, id: number, at: Date) =>
  tx
    .updateTable('marketplace_offer')
    .set({ status: 'declined', decided_at: at })
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .where('status', '=', 'open')
    .returning(offerColumns)
    .execute();
/** An accepted offer that came to nothing is over. */
export const expireOffer = (tx: Tx, companyId: number, offerId: number, at: Date) =>
  tx
    .updateTable('marketplace_offer')
    .set({ status: 'expired', decided_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', offerId)
    .execute();
export const offerById = (tx: Tx, companyId: number, offerId: number) =>
  tx
    .selectFrom('marketplace_offer')
    .select(offerColumns)
    .where('company_id', '=', companyId)
    .where('id', '=', offerId)
    .executeTakeFirst();
/** The listing of one of the company's own numbers, locked. Undefined: none, or it was withdrawn. */
export const lockListingOf = async (
  tx: Tx,
  companyId: number,
  own: { numberId: number; number: string },
): Promise<ListingRecord | undefined> =>
  (
    await sql<ListingRecord>`select m.* from marketplace_number m where m.company_id = ${companyId}
      and m.number = ${own.number} and m.number_id = ${own.numberId} and m.status <> 'withdrawn' for update`.execute(
      tx,
    )
  ).rows[0];
export const openOffers = async (tx: Tx, companyId: number, id: number, now: Date) =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int n from marketplace_offer where company_id = ${companyId} and marketplace_id = ${id} and status = 'open' and expires_at > ${now}`.execute(
      tx,
    )
  ).rows[0]!.n;

// ---- lists -----------------------------------------------------------------------------------------------------------

export interface ListingFilter {
  search?: string | undefined;
  status?: readonly string[] | undefined;
  tier?: string | undefined;
  category?: string | undefined;
  area?: string | undefined;
  words?: string | undefined;
  price_from?: number | undefined;
  price_to?: number | undefined;
  industry?: string | undefined;
}
export type ListingSort = (typeof contract.marketplaceSorts)[number];
const sorts: Record<ListingSort, ReturnType<typeof sql>> = {
  price: sql`m.monthly_cents`,
  views: sql`views`,
  listed_at: sql`m.listed_at`,
  created_at: sql`m.created_at`,
  number: sql`m.number`,
  status: sql`array_position(array['reserved','under_offer','listed','draft','leased','withdrawn'], m.status)`,
};
/** One company's numbers, or (`companyId` null, system role) those that are on offer. A reservation that has run out counts as listed. */
export async function listingPage(
  tx: Tx,
  companyId: number | null,
  filter: ListingFilter,
  page: { sort: ListingSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: ListingView[]; total: number }> {
  const like = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`;
  const stands = sql`case when m.status = 'reserved' and m.reserved_until <= ${now} then 'listed' else m.status end`;
  const all = [
    companyId === null
      ? sql`${stands} in ('listed', 'under_offer')`
      : sql`m.company_id = ${companyId}`,
  ];
  if (filter.status?.length) all.push(sql`${stands} = any (${[...filter.status]}::text[])`);
  if (filter.tier) all.push(sql`m.tier = ${filter.tier}`);
  if (filter.category) all.push(sql`m.category = ${filter.category}`);
  if (filter.area)
    all.push(sql`(m.area_code = ${filter.area} or m.region = ${filter.area.toUpperCase()})`);
  if (filter.words)
    all.push(sql`exists (select from unnest(m.words) w where w ilike ${like(filter.words)})`);
  if (filter.price_from !== undefined) all.push(sql`m.monthly_cents >= ${filter.price_from}`);
  if (filter.price_to !== undefined) all.push(sql`m.monthly_cents <= ${filter.price_to}`);
  if (filter.industry) all.push(sql`${filter.industry} = any (m.industries)`);
  if (filter.search) {
    const digits = filter.search.replace(/\D/g, '');
    all.push(
      sql`(m.vanity_text ilike ${like(filter.search)} or m.description ilike ${like(filter.search)} or exists (select from unnest(m.words) w where w ilike ${like(filter.search)}) ${digits.length >= 2 ? sql`or m.number like ${like(digits)}` : sql``})`,
    );
  }
  const where = sql.join(all, sql` and `);
  const order = sql`order by ${sorts[page.sort]} ${page.dir === 'asc' ? sql`asc` : sql`desc`} nulls last, m.id ${page.dir === 'asc' ? sql`asc` : sql`desc`}`;
  const { rows } =
    await sql<ListingView>`${withCalls(sql`select * from (select m.*, ${counters} from marketplace_number m where ${where}) m ${order} limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`, now)} ${order}`.execute(
      tx,
    );
  const total =
    page.page === 1 && rows.length < page.perPage
      ? rows.length
      : (
          await sql<{
            n: number;
          }>`select count(*)::int n from marketplace_number m where ${where}`.execute(tx)
        ).rows[0]!.n;
  return { rows, total };
}

export interface MarketplaceStats {
  listed: number;
  reserved: number;
  leased: number;
  withdrawn: number;
  ever_listed: number;
  ever_leased: number;
  leased_30d: number;
  monthly_revenue_cents: number;
  revenue_added_cents: number;
  avg_days_to_lease: number | null;
  offers_open: number;
  views_30d: number;
  views_before: number;
  inquiries_30d: number;
  inquiries_before: number;
}
export async function marketplaceStats(
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<MarketplaceStats> {
  const [since, before] = [
    new Date(now.getTime() - 30 * 86_400_000),
    new Date(now.getTime() - 60 * 86_400_000),
  ];
  const mine = sql`company_id = ${companyId}`;
  return (
    await sql<MarketplaceStats>`select m.*, (select count(*)::int from marketplace_offer where ${mine} and status = 'open' and expires_at > ${now}) offers_open,
      (select count(*)::int from marketplace_view where ${mine} and at >= ${since}) views_30d, (select count(*)::int from marketplace_view where ${mine} and at >= ${before} and at < ${since}) views_before,
      (select count(*)::int from marketplace_inquiry where ${mine} and at >= ${since}) inquiries_30d, (select count(*)::int from marketplace_inquiry where ${mine} and at >= ${before} and at < ${since}) inquiries_before
    from (select count(*) filter (where status in ('listed', 'under_offer') or (status = 'reserved' and reserved_until <= ${now}))::int listed, count(*) filter (where status = 'reserved' and reserved_until > ${now})::int reserved, count(*) filter (where status = 'leased')::int leased, count(*) filter (where status = 'withdrawn' and assigned_at is null)::int withdrawn,
      count(*) filter (where first_listed_at is not null)::int ever_listed, count(*) filter (where leased_at is not null)::int ever_leased, count(*) filter (where leased_at >= ${since})::int leased_30d,
      coalesce(sum(lease_monthly_cents) filter (where status = 'leased'), 0)::int monthly_revenue_cents, coalesce(sum(lease_monthly_cents) filter (where status = 'leased' and leased_at >= ${since}), 0)::int revenue_added_cents,
      round(avg(extract(epoch from leased_at - first_listed_at) / 86400) filter (where leased_at is not null), 1) avg_days_to_lease from marketplace_number where ${mine}) m`.execute(
      tx,
    )
  ).rows[0]!;
}
/** For the clock: reservations that ran out, and offers nobody decided about. Across companies. */
export const expiredReservations = async (tx: Tx, now: Date) =>
  (
    await sql<{ company_id: number; id: number }>`select company_id, id from marketplace_number
  where status = 'reserved' and reserved_until <= ${now} limit 500`.execute(tx)
  ).rows;
/** Leases that end within this many days and whose sides were not told so yet. Across companies. */
export const leasesEnding = async (tx: Tx, days: number, now: Date) =>
  (
    await sql<{ company_id: number; id: number }>`select company_id, id from marketplace_number
  where status = 'leased' and lease_ends_at > ${now} and lease_ends_at <= ${new Date(now.getTime() + days * 86_400_000)}
    and coalesce(lease_notified_days, 999) > ${days} order by lease_ends_at limit 500`.execute(tx)
  ).rows;
/** Leases whose term is over. Across companies. */
export const endedLeases = async (tx: Tx, now: Date) =>
  (
    await sql<{
      company_id: number;
      id: number;
    }>`select company_id, id from marketplace_number where status = 'leased' and lease_ends_at <= ${now} order by lease_ends_at limit 500`.execute(
      tx,
    )
  ).rows;
export const expireOffers = (tx: Tx, now: Date) =>
  sql`with over as (update marketplace_offer set status = 'expired', decided_at = ${now} where status = 'open' and expires_at <= ${now} returning company_id, marketplace_id)
  update marketplace_number m set status = 'listed', updated_at = ${now} from over where m.company_id = over.company_id and m.id = over.marketplace_id and m.status = 'under_offer'
    and not exists (select from marketplace_offer o where o.company_id = m.company_id and o.marketplace_id = m.id and o.status = 'open' and o.expires_at > ${now})`.execute(
    tx,
  );
/** From here on the transaction acts in this company: what a buyer does is written where the number is. */
export const setCompany = (tx: Tx, companyId: number) =>
  sql`select set_config('app.company_id', ${String(companyId)}, true)`.execute(tx);
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
