import type { tracking } from '#contract';
import { feedSize } from '#contract/tracking/feed-rules';

type Row = tracking.FeedRow;

/** Rows of both, each once in its latest form, the newest first; as many as the feed shows. */
export function mergeRows(some: readonly Row[], others: readonly Row[]): Row[] {
  const byId = new Map<string, Row>();
  for (const row of [...some, ...others]) {
    const known = byId.get(row.id);
    if (!known || known.at < row.at) byId.set(row.id, row);
  }
  return [...byId.values()]
    .sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
    .slice(0, feedSize);
}

/** What the feed is limited to; an empty text: not by this. */
export interface FeedFilters {
  kind: string;
  pool: string;
  source: string;
  site: string;
}

/** The kinds that a filter shows. A page that is still open is only shown to who asks for it. */
export const kindsShown = (kind: string, all: readonly tracking.FeedType[]): tracking.FeedType[] =>
  all.filter((one) => (kind ? one === kind : one !== 'heartbeat'));

/** Whether a row that arrives is one of those that are shown. */
export const isShown = (row: Row, { kind, pool, source, site }: FeedFilters): boolean =>
  (kind ? row.type === kind : row.type !== 'heartbeat') &&
  (!pool || String(row.poolId) === pool) &&
  (!source || row.source.key === source) &&
  (!site || row.page?.split('/')[2] === site);
