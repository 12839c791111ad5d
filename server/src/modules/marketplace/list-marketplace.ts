import { stringify } from 'csv-stringify/sync';
import { marketplace as contract, type Answer, type PageAnswer, type Query } from '#contract';
import { moneyToDecimal } from '#contract/money';
import { sumMoney, timesMoney } from '../../platform/money.ts';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { presentItem, presentListing } from './present.ts';
import { marketplaceStats, listingPage, type ListingSort, type ListingView } from './store.ts';

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
/** Of every company, so by the system role; what is told of them is public. */
export async function listListings(
  ctx: Ctx,
  query: Query<typeof contract.listListings>,
): Promise<PageAnswer<contract.PublicListing>> {
  const { rows, total } = await ctx.db.systemTransaction((tx) =>
    listingPage(tx, null, query, pageOrder(query, 'listed_at'), ctx.now),
  );
  return { rows: rows.map((row) => presentListing(row, ctx.now)), total };
}

const change = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10;
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

/** A cell that a spreadsheet would run is written as text. A phone number's plus is kept: nothing but digits follows it. */
export const safeCell = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text;
/** What an assignment brought, or what a lease did: its start, and the months that have begun since. */
const revenueOf = (row: ListingView, now: Date): number =>
  row.assigned_cents ??
  sumMoney([
    row.lease_setup_cents ?? 0,
    row.leased_at && row.lease_monthly_cents
      ? timesMoney(row.lease_monthly_cents, monthsBegun(new Date(row.leased_at), now))
      : 0,
  ]);
const monthsBegun = (since: Date, now: Date): number =>
  Math.floor((now.getTime() - since.getTime()) / (30 * 86_400_000)) + 1;

export async function marketplaceReport(ctx: TxCtx, http: Http): Promise<string> {
  const rows: string[][] = [];
  for (let page = 1; ; page++) {
    const { rows: found } = await listingPage(
      ctx.tx,
      ctx.companyId,
      {},
      { sort: 'number', dir: 'asc', page, perPage: 1000 },
      ctx.now,
    );
    for (const row of found) {
      const item = presentItem(row, ctx.now);
      rows.push(
        [
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
          moneyToDecimal(revenueOf(row, ctx.now)),
        ].map(safeCell),
      );
    }
    if (found.length < 1000) break;
  }
  const csv = stringify(
    [
      [
        'number',
        'vanity',
        'tier',
        'status',
        'price',
        'views',
        'inquiries',
        'offers',
        'leased_to',
        'listed_at',
        'leased_at',
        'revenue',
      ],
      ...rows,
    ],
    { record_delimiter: 'windows' },
  );
  void http.reply
    .headers({
      'content-disposition': `attachment; filename="marketplace-${ctx.now.toISOString().slice(0, 10)}.csv"`,
    })
    .type('text/csv; charset=utf-8');
  return csv;
}
