import { sql, type RawBuilder } from 'kysely';
import type { marketplace as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';
import { firstOf } from '../../platform/must-be.ts';
import { counters, withCalls, type ListingView } from './store.ts';
import { foldedPattern } from '../../platform/folded.ts';

interface ListingFilter {
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
const sorts: Record<ListingSort, RawBuilder<unknown>> = {
  price: sql`m.monthly_cents`,
  views: sql`views`,
  listed_at: sql`m.listed_at`,
  created_at: sql`m.created_at`,
  number: sql`m.number`,
  status: sql`array_position(
    array['reserved', 'under_offer', 'listed', 'draft', 'leased', 'withdrawn'], m.status)`,
};

const like = foldedPattern;
const hasWord = (text: string) =>
  sql`exists (select from unnest(m.words) w where folded(w) like ${like(text)})`;

function searchCondition(search: string): RawBuilder<unknown> {
  const digits = search.replace(/\D/g, '');
  const byDigits = digits.length >= 2 ? sql`or m.number like ${like(digits)}` : sql``;
  return sql`(folded(m.vanity_text) like ${like(search)} or folded(m.description) like ${like(search)}
    or ${hasWord(search)} ${byDigits})`;
}

function listingConditions(
  companyId: number | null,
  filter: ListingFilter,
  now: Date,
): RawBuilder<unknown>[] {
  const effectiveStatus = sql`case
    when m.status = 'reserved' and m.reserved_until <= ${now} then 'listed' else m.status end`;
  const conditions = [
    companyId === null
      ? sql`${effectiveStatus} in ('listed', 'under_offer')`
      : sql`m.company_id = ${companyId}`,
  ];
  if (filter.status?.length)
    conditions.push(sql`${effectiveStatus} = any (${[...filter.status]}::text[])`);
  if (filter.tier) conditions.push(sql`m.tier = ${filter.tier}`);
  if (filter.category) conditions.push(sql`m.category = ${filter.category}`);
  if (filter.area)
    conditions.push(sql`(m.area_code = ${filter.area} or m.region = ${filter.area.toUpperCase()})`);
  if (filter.words) conditions.push(hasWord(filter.words));
  if (filter.price_from !== undefined)
    conditions.push(sql`m.monthly_cents >= ${filter.price_from}`);
  if (filter.price_to !== undefined) conditions.push(sql`m.monthly_cents <= ${filter.price_to}`);
  if (filter.industry) conditions.push(sql`${filter.industry} = any (m.industries)`);
  if (filter.search) conditions.push(searchCondition(filter.search));
  return conditions;
}

/**
 * One company's listings, or (`companyId` null, as the system role) those on offer anywhere.
 * A reservation that has expired counts as listed.
 */
export async function listingPage(
  tx: Tx,
  companyId: number | null,
  filter: ListingFilter,
  page: { sort: ListingSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: ListingView[]; total: number }> {
  const where = sql.join(listingConditions(companyId, filter, now), sql` and `);
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const order = sql`order by ${sorts[page.sort]} ${direction} nulls last, m.id ${direction}`;
  const onPage = sql`
    select * from (select m.*, ${counters} from marketplace_number m where ${where}) m
    ${order} limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`;
  const { rows } = await sql<ListingView>`${withCalls(onPage, now)} ${order}`.execute(tx);
  if (page.page === 1 && rows.length < page.perPage) return { rows, total: rows.length };
  const counted = await sql<{ total: number }>`
    select count(*)::int total from marketplace_number m where ${where}`.execute(tx);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

interface MarketplaceStats {
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
const statsQuery = (companyId: number, now: Date) => {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const before = new Date(now.getTime() - 60 * 86_400_000);
  const own = sql`company_id = ${companyId}`;
  const countOf = (table: string, at: RawBuilder<unknown>) =>
    sql`(select count(*)::int from ${sql.table(table)} where ${own} and ${at})`;
  const last30Days = sql`at >= ${since}`;
  const daysBefore = sql`at >= ${before} and at < ${since}`;
  const openOffer = sql`status = 'open' and expires_at > ${now}`;
  return sql<MarketplaceStats>`
    select m.*,
      ${countOf('marketplace_offer', openOffer)} offers_open,
      ${countOf('marketplace_view', last30Days)} views_30d,
      ${countOf('marketplace_view', daysBefore)} views_before,
      ${countOf('marketplace_inquiry', last30Days)} inquiries_30d,
      ${countOf('marketplace_inquiry', daysBefore)} inquiries_before
    from (
      select
        count(*) filter (where status in ('listed', 'under_offer')
          or (status = 'reserved' and reserved_until <= ${now}))::int listed,
        count(*) filter (where status = 'reserved' and reserved_until > ${now})::int reserved,
        count(*) filter (where status = 'leased')::int leased,
        count(*) filter (where status = 'withdrawn' and assigned_at is null)::int withdrawn,
        count(*) filter (where first_listed_at is not null)::int ever_listed,
        count(*) filter (where leased_at is not null)::int ever_leased,
        count(*) filter (where leased_at >= ${since})::int leased_30d,
        coalesce(sum(lease_monthly_cents)
          filter (where status = 'leased'), 0)::int monthly_revenue_cents,
        coalesce(sum(lease_monthly_cents)
          filter (where status = 'leased' and leased_at >= ${since}), 0)::int revenue_added_cents,
        round(avg(extract(epoch from leased_at - first_listed_at) / 86400)
          filter (where leased_at is not null), 1) avg_days_to_lease
      from marketplace_number where ${own}
    ) m`;
};
/** The company's figures now, for the last 30 days and for the 30 days before those. */
export async function marketplaceStats(
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<MarketplaceStats> {
  const { rows } = await statsQuery(companyId, now).execute(tx);
  // Aggregates without `group by` always return one row.
  return firstOf(rows);
}
