/** The call search: full text over `call_search_text`. */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { CallRow } from '../records/store.ts';
import type { SearchTerm } from './rules.ts';

/** What to search for. `terms`, `numbers` null = any. */
export interface SearchFilter {
  companyId: number;
  terms: readonly SearchTerm[] | null;
  numbers: readonly number[] | null;
  since: Date;
  before: Date;
  direction: 'inbound' | 'outbound' | undefined;
  outcome: number | undefined;
  minDuration: number | undefined;
  tags: readonly string[] | undefined;
  qualified: boolean | undefined;
  /** Keys of sources. */
  sources: readonly string[] | undefined;
  phraseLists: readonly number[] | undefined;
}
export type FoundRow = Pick<
  CallRow,
  | 'id'
  | 'number_id'
  | 'outbound'
  | 'from_number'
  | 'to_number'
  | 'party'
  | 'caller_name'
  | 'contact_id'
  | 'conversation_id'
  | 'status'
  | 'outcome'
  | 'started_at'
  | 'talk_seconds'
  | 'duration_seconds'
  | 'answered_by'
  | 'note'
> & { number: string; number_label: string; contact_name: string | null };
/** An export holds this many results. */
export const COUNT_TO = 10_000;
/** Words that more calls have are looked for in the order of time. */
const MOST_LISTED = 3000;
/** No further than through this many calls. */
const MOST_SEARCHED = 20_000;
/** Those are counted this far. */
const COUNTED = 1000;
/** Of so many newest calls, so many with the words make them common. */
const SAMPLE = 800;
const COMMON_IN_SAMPLE = 48;

/** A page of calls. `searchedSince`: how far back the search looked; null: through everything. */
interface SearchedCalls {
  rows: FoundRow[];
  total: number;
  capped: boolean;
  searchedSince: Date | null;
}
interface Range {
  limit: number;
  offset: number;
}

/**
 * One page of matching calls, newest first. Few matches are listed and sorted. Of many, the newest
 * are looked for in the order of time, through `MOST_SEARCHED` calls at most.
 */
export async function searchPage(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
): Promise<SearchedCalls> {
  if (!filter.terms) return { ...(await everyMatch(tx, filter, range)), searchedSince: null };
  // Listing what thousands of calls have costs more than meeting it: first, the newest are asked.
  const walked = (await isCommon(tx, filter)) ? await newestPage(tx, filter, range) : null;
  if (walked?.isEnough) return walked.page;
  const few = await pageOf(tx, filter, range, matches('calls_matching', filter, MOST_LISTED + 1));
  return few.matched <= MOST_LISTED
    ? { rows: few.rows, total: few.found, capped: false, searchedSince: null }
    : (walked ?? (await newestPage(tx, filter, range))).page;
}

/**
 * A page of the newest matches. `isEnough`: they are all there are, or more than are listed, so that
 * the index would know no better.
 */
async function newestPage(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
): Promise<{ page: SearchedCalls; isEnough: boolean }> {
  const most = Math.max(COUNTED, range.offset + range.limit) + 1;
  const bound = await startOfNewest(tx, filter, MOST_SEARCHED);
  const since = latest(bound, filter.since);
  // Conditions on the record apply to all that was found: there, no count ends the search.
  const ends = recordConditions(filter).length ? MOST_SEARCHED : Math.max(MOST_LISTED + 1, most);
  const newest = matches('calls_newest', { ...filter, since }, ends);
  const { rows, found, matched } = await pageOf(tx, filter, range, newest, since);
  if (matched <= MOST_LISTED && bound === null)
    return { isEnough: true, page: { rows, total: found, capped: false, searchedSince: null } };
  const isWhole = found >= most;
  return {
    isEnough: matched > MOST_LISTED,
    page: {
      rows,
      total: Math.min(found, most - 1),
      capped: isWhole || bound !== null,
      searchedSince: isWhole ? null : bound,
    },
  };
}
const latest = (bound: Date | null, since: Date) => (bound && bound > since ? bound : since);

/** Whether so many of the newest calls match that more are soon met than the index should list. */
async function isCommon(tx: Tx, filter: SearchFilter): Promise<boolean> {
  const since = latest(await startOfNewest(tx, filter, SAMPLE), filter.since);
  const { rows } = await sql<{ n: number }>`select count(*)::int n
    from (${matches('calls_newest', { ...filter, since }, COMMON_IN_SAMPLE)}) m`.execute(tx);
  return (rows[0]?.n ?? 0) >= COMMON_IN_SAMPLE;
}

/** One page of every match, however many: for exports, up to `COUNT_TO`. */
export async function everyMatch(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
): Promise<{ rows: FoundRow[]; total: number; capped: boolean }> {
  const { rows, found } = await pageOf(
    tx,
    filter,
    range,
    filter.terms ? matches('calls_matching', filter, 2 ** 31 - 1) : newestTranscribed(filter),
  );
  return { rows, total: Math.min(found, COUNT_TO), capped: found > COUNT_TO };
}

/** When the oldest of the newest `most` calls of the range began; null: there are fewer. */
async function startOfNewest(tx: Tx, { companyId, since, before }: SearchFilter, most: number) {
  const { rows } = await sql<{ started_at: Date }>`select started_at from call_search_text
    where company_id = ${companyId} and started_at >= ${since} and started_at < ${before}
    order by started_at desc, call_id desc offset ${most - 1} limit 1`.execute(tx);
  return rows[0]?.started_at ?? null;
}

/**
 * Finds the words in their index (materialized), then filters by the record. Without record filters
 * only the records of the page are read.
 * @param since of thousands of matches that all began after it: not too many calls have
 */
async function pageOf(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
  matching: RawBuilder<unknown>,
  since: Date | null = null,
): Promise<{ rows: FoundRow[]; matched: number; found: number }> {
  const { companyId } = filter;
  const conditions = recordConditions(filter);
  // One by one, thousands would read each level of the index every time. Whichever index the planner
  // chooses for all at once, the time keeps it from reading the whole company.
  const theirs = since
    ? sql`(select * from call where company_id = ${companyId} and started_at >= ${since}
        and id = any(array(select call_id from m)) offset 0) c`
    : sql`m cross join lateral ${theCall(companyId, sql`m.call_id`)} c`;
  const kept = conditions.length
    ? sql`select c.id call_id, c.started_at from ${theirs} where ${sql.join(conditions, sql` and `)}`
    : sql`select * from m`;
  const { rows } = await sql<FoundRow & { of_all: number; matched: number }>`
    with m as materialized (${matching}),
      kept as materialized (${kept}),
      page as materialized (select call_id, started_at from kept
        order by started_at desc, call_id desc limit ${range.limit} offset ${range.offset})
    select x.of_all, x.matched, c.id, c.number_id, c.outbound, c.from_number, c.to_number, c.party,
      c.caller_name, c.contact_id, c.conversation_id, c.status, c.outcome, c.started_at,
      c.talk_seconds, c.duration_seconds, c.answered_by, c.note,
      n.number, n.label number_label,
      (select k.name from contact k
        where k.company_id = ${companyId} and k.id = c.contact_id) contact_name
    from (select (select count(*)::int from kept) of_all, (select count(*)::int from m) matched) x
      left join page p on true
      left join lateral ${theCall(companyId, sql`p.call_id`)} c on true
      left join number n on n.company_id = ${companyId} and n.id = c.number_id
    order by p.started_at desc, p.call_id desc`.execute(tx);
  return {
    rows: rows.filter((row) => row.id !== null),
    matched: rows[0]?.matched ?? 0,
    found: rows[0]?.of_all ?? 0,
  };
}

/** One call by its key. Fenced: without statistics a join would read all calls of the company. */
const theCall = (companyId: number, id: RawBuilder<unknown>) =>
  sql`(select * from call where company_id = ${companyId} and id = ${id} limit 1)`;
const idsOf = (numbers: readonly number[] | null) =>
  numbers ? sql`${[...numbers]}::bigint[]` : sql`null::bigint[]`;
/** Up to `most` calls that match the terms. */
const matches = (
  by: 'calls_matching' | 'calls_newest',
  { companyId, terms, numbers, since, before }: SearchFilter,
  most: number,
) => sql`select m.call_id, m.started_at from ${sql.ref(by)}(${companyId},
  ${JSON.stringify(terms)}::jsonb, ${idsOf(numbers)}, ${since}, ${before}, ${most}) m`;
/** The newest calls that have a transcription. */
const newestTranscribed = ({ companyId, numbers, since, before }: SearchFilter) =>
  sql`select c.id call_id, c.started_at from call c
    where c.company_id = ${companyId}
      and (${idsOf(numbers)} is null or c.number_id = any(${idsOf(numbers)}))
      and c.started_at >= ${since} and c.started_at < ${before}
      and exists (select from transcription t
        where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready')
    order by c.started_at desc, c.id desc limit ${COUNT_TO + 1}`;

/** Conditions that only the call record can answer. */
function recordConditions({
  direction,
  outcome,
  minDuration,
  qualified,
  tags,
  sources,
  phraseLists,
}: SearchFilter) {
  const tagNames = tags?.map((name) => name.toLowerCase()) ?? [];
  return [
    ...(direction ? [sql`c.outbound = ${direction === 'outbound'}`] : []),
    ...(outcome !== undefined ? [sql`c.outcome = ${outcome}`] : []),
    ...(minDuration !== undefined ? [sql`c.talk_seconds >= ${minDuration}`] : []),
    ...(qualified !== undefined ? [sql`c.qualified = ${qualified}`] : []),
    ...(phraseLists?.length
      ? [
          sql`exists (select from phrase_hit h where h.company_id = c.company_id
            and h.call_id = c.id and h.list_id = any(${[...phraseLists]}::bigint[]))`,
        ]
      : []),
    ...(sources?.length ? [sql`c.source ->> 'key' = any(${[...sources]}::text[])`] : []),
    ...(tagNames.length
      ? [
          sql`exists (select from call_tag g
            join tag t on t.company_id = g.company_id and t.id = g.tag_id
            where g.company_id = c.company_id and g.call_id = c.id
              and lower(t.name) = any(${tagNames}::text[]))`,
        ]
      : []),
  ];
}
