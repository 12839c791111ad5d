import { useEffect, useMemo, useRef, useState } from 'react';
import { tracking } from '#contract';
import { feedSize, feedTypes } from '#contract/tracking/feed-rules';
import { useApiQuery, useCompanyId, useLiveEvent } from '#ui';
import { isShown, kindsShown, mergeRows, type FeedFilters } from './merge-rows.ts';

type Row = tracking.FeedRow;
/** Rows that arrive are drawn together, so that hundreds a second cost four drawings. */
const DRAW_MS = 250;
/** Ends of visits have no event of their own. */
const READ_AGAIN_MS = 30_000;

/** The rows of the feed as they arrive, and a way to hold them still. */
export function useLiveFeed(filters: FeedFilters) {
  const { kind, pool, source, site } = filters;
  const query = useApiQuery(
    tracking.realTimeFeed,
    {
      params: { companyId: useCompanyId() ?? 0 },
      query: {
        types: kindsShown(kind, feedTypes),
        ...{ poolId: pool ? Number(pool) : null, source: source || null, site: site || null },
      },
    },
    { silent: true, refetchInterval: READ_AGAIN_MS },
  );
  const arrived = useArrivingRows();
  const read = query.response?.data;
  const rows = useMemo(
    () =>
      read &&
      mergeRows(
        read,
        arrived.filter((row) => isShown(row, { kind, pool, source, site })),
      ),
    [read, arrived, kind, pool, source, site],
  );
  const [held, setHeld] = useState<readonly Row[] | null>(null);
  const waiting = useMemo(() => {
    const known = new Set(held?.map(({ id }) => id));
    return held && rows ? rows.filter(({ id }) => !known.has(id)).length : 0;
  }, [held, rows]);
  // Another filter shows other rows, held still or not.
  useEffect(() => setHeld(null), [kind, pool, source, site]);
  return {
    ...query,
    rows: held ?? rows,
    isPaused: held !== null,
    /** Rows that arrived meanwhile, as many as the feed shows at most. */
    waiting,
    toggle: () => setHeld(held ? null : (rows ?? [])),
  };
}

/** What arrived since the screen was opened, as many rows as the feed shows of each kind. */
function useArrivingRows(): readonly Row[] {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const waiting = useRef<Row[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvent(tracking.dniFeed, (row) => {
    waiting.current.push(row);
    if (waiting.current.length > 4 * feedSize) waiting.current.splice(0, 2 * feedSize);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const taken = waiting.current;
      waiting.current = [];
      setRows((before) => latestOfEachKind([...before, ...taken]));
    }, DRAW_MS);
  });
  // What is read again then doesn't have the rows of a deleted pool.
  useLiveEvent(tracking.poolChanged, ({ deleted, poolId }) => {
    if (deleted) setRows((before) => before.filter((row) => row.poolId !== poolId));
  });
  return rows;
}

/** A busy kind must not push out another that a filter may show alone. */
function latestOfEachKind(rows: readonly Row[]): Row[] {
  return feedTypes.flatMap((type) =>
    mergeRows(
      rows.filter((row) => row.type === type),
      [],
    ),
  );
}
