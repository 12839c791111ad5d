import { stringify } from 'csv-stringify/sync';
import { marketplace as contract, type Answer, type PageAnswer, type Query } from '#contract';
import { moneyToDecimal } from '#contract/money';
import { sumMoney, timesMoney } from '../../platform/money.ts';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { presentItem, presentListing } from './present.ts';
import { listingPage, marketplaceStats, type ListingSort } from './store-lists.ts';
import type { ListingView } from './store.ts';

// The system role: a buyer or lessee acts in the company of the listing, found by the listing’s
// ID.

function pageOrder(
  query: {
    sort?: ListingSort | undefined;
    dir?: 'asc' | 'desc' | undefined;
    page: number;
    perPage: number;
  },
  defaultSort: ListingSort,
) {
  return {
    sort: query.sort ?? defaultSort,
    dir: query.dir ?? (query.sort ? ('asc' as const) : ('desc' as const)),
    page: query.page,
    perPage: query.perPage,
  };
}
/** The company's listings, filtered and sorted. */
export async function listMarketplaceNumbers(
  ctx: TxCtx,
  query: Query<typeof contract.listMarketplaceNumbers>,
): Promise<PageAnswer<contract.MarketplaceNumber>> {
  const { rows, total } = await listingPage(
    ctx.tx,
    ctx.companyId,
    query,
    pageOrder(query, 'created_at'),
    ctx.now,
  );
  return { rows: rows.map((row) => presentItem(row, ctx.now)), total };
}
/**
 * What companies offer. Reads across companies as the system role; only public fields are returned.
 */
export async function listListings(
  ctx: Ctx,
  query: Query<typeof contract.listListings>,
): Promise<PageAnswer<contract.PublicListing>> {
  const { rows, total } = await ctx.db.systemTransaction((tx) =>
    listingPage(tx, null, query, pageOrder(query, 'listed_at'), ctx.now),
  );
  return { rows: rows.map((row) => presentListing(row, ctx.now)), total };
}

/** Percent, one decimal. Null: there was nothing before. */
const change = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10;
/** The company's figures, with their change against the 30 days before. */
export async function marketplaceKpi(ctx: TxCtx): Promise<Answer<typeof contract.marketplaceKpi>> {
  const stats = await marketplaceStats(ctx.tx, ctx.companyId, ctx.now);
  return {
    data: {
      listed: stats.listed,
      reserved: stats.reserved,
      leased: stats.leased,
      withdrawn: stats.withdrawn,
      views_30d: stats.views_30d,
      inquiries_30d: stats.inquiries_30d,
      offers_open: stats.offers_open,
      conversion_pct:
        stats.ever_listed === 0
          ? 0
          : Math.round((stats.ever_leased / stats.ever_listed) * 1000) / 10,
      monthly_revenue_cents: stats.monthly_revenue_cents,
      avg_days_to_lease: stats.avg_days_to_lease,
      change: {
        views_pct: change(stats.views_30d, stats.views_before),
        inquiries_pct: change(stats.inquiries_30d, stats.inquiries_before),
        leased: stats.leased_30d,
        monthly_revenue_cents: stats.revenue_added_cents,
      },
    },
  };
}

/**
 * Escapes a cell that a spreadsheet would run as a formula. `+15551234567` isn't one: only digits
 * follow the plus.
 */
export const safeCell = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text;
/**
 * Cents earned: the price of an assignment, or a lease's setup fee and the months begun since its
 * start.
 */
const revenueOf = (row: ListingView, now: Date): number =>
  row.assigned_cents ??
  sumMoney([
    row.lease_setup_cents ?? 0,
    row.leased_at && row.lease_monthly_cents
      ? timesMoney(row.lease_monthly_cents, monthsBegun(row.leased_at, now))
      : 0,
  ]);
const monthsBegun = (since: Date, now: Date): number =>
  Math.floor((now.getTime() - since.getTime()) / (30 * 86_400_000)) + 1;

const reportColumns = [
  ...['number', 'vanity', 'tier', 'status', 'price', 'views', 'inquiries', 'offers'],
  ...['leased_to', 'listed_at', 'leased_at', 'revenue'],
];
function reportCells(row: ListingView, now: Date): string[] {
  const item = presentItem(row, now);
  return [
    item.number,
    item.vanity_text ?? '',
    item.tier,
    item.status,
    moneyToDecimal(item.pricing.monthly_cents),
    String(item.views),
    String(item.inquiries),
    String(item.offers_count),
    item.lessee_name ?? item.assigned_to ?? '',
    item.listed_at ?? '',
    item.leased_at ?? '',
    moneyToDecimal(revenueOf(row, now)),
  ].map(safeCell);
}

/** All of the company's listings as a CSV file. */
export async function marketplaceReport(ctx: TxCtx, http: Http): Promise<string> {
  const rows: string[][] = [];
  const perPage = 1000;
  for (let page = 1; ; page++) {
    const order = { sort: 'number', dir: 'asc', page, perPage } as const;
    const { rows: onPage } = await listingPage(ctx.tx, ctx.companyId, {}, order, ctx.now);
    rows.push(...onPage.map((row) => reportCells(row, ctx.now)));
    if (onPage.length < perPage) break;
  }
  void http.reply
    .headers({
      'content-disposition': `attachment; filename="marketplace-${ctx.now.toISOString().slice(0, 10)}.csv"`,
    })
    .type('text/csv; charset=utf-8');
  return stringify([reportColumns, ...rows], { record_delimiter: 'windows' });
}
