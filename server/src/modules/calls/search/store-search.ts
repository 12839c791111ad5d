/** The call search: full text over `call_search_text`. */
import { sql } from 'kysely';
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
/** Results are counted and paged up to this many. */
export const COUNT_TO = 10_000;

/**
 * One page of matching calls, newest first. Finds the words in their index (materialized), then
 * filters by the record. Without record filters only the records of the page are read.
 */
export async function searchPage(
  tx: Tx,
  filter: SearchFilter,
  range: { limit: number; offset: number },
): Promise<{ rows: FoundRow[]; total: number; capped: boolean }> {
  const { companyId } = filter;
  const conditions = recordConditions(filter);
  const kept = conditions.length
    ? sql`select m.call_id, m.started_at
        from m join call c on c.company_id = ${companyId} and c.id = m.call_id
        where ${sql.join(conditions, sql` and `)}`
    : sql`select * from m`;
  const { rows } = await sql<FoundRow & { of_all: number }>`
    with m as materialized (${matchingCalls(filter)}),
      kept as materialized (${kept}),
      page as materialized (select call_id, started_at from kept
        order by started_at desc, call_id desc limit ${range.limit} offset ${range.offset})
    select x.of_all, c.id, c.number_id, c.outbound, c.from_number, c.to_number, c.party,
      c.caller_name, c.contact_id, c.conversation_id, c.status, c.outcome, c.started_at,
      c.talk_seconds, c.duration_seconds, c.answered_by, c.note,
      n.number, n.label number_label,
      (select k.name from contact k
        where k.company_id = ${companyId} and k.id = c.contact_id) contact_name
    from (select count(*)::int of_all from kept) x left join page p on true
      left join call c on c.company_id = ${companyId} and c.id = p.call_id
      left join number n on n.company_id = ${companyId} and n.id = c.number_id
    order by p.started_at desc, p.call_id desc`.execute(tx);
  const found = rows[0]?.of_all ?? 0;
  return {
    rows: rows.filter((row) => row.id !== null),
    total: Math.min(found, COUNT_TO),
    capped: found > COUNT_TO,
  };
}

/** Calls that match the terms; without terms the newest that have a transcription. */
function matchingCalls({ companyId, terms, numbers, since, before }: SearchFilter) {
  const numberIds = numbers ? sql`${[...numbers]}::bigint[]` : sql`null::bigint[]`;
  return terms
    ? sql`select m.call_id, m.started_at from calls_matching(
        ${companyId}, ${JSON.stringify(terms)}::jsonb, ${numberIds}, ${since}, ${before}) m`
    : sql`select c.id call_id, c.started_at from call c
        where c.company_id = ${companyId}
          and (${numberIds} is null or c.number_id = any(${numberIds}))
          and c.started_at >= ${since} and c.started_at < ${before}
          and exists (select from transcription t
            where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready')
        order by c.started_at desc, c.id desc limit ${COUNT_TO + 1}`;
}

/** Conditions that only the call record can answer. */
function recordConditions({ direction, outcome, minDuration, qualified, tags }: SearchFilter) {
  const tagNames = tags?.map((name) => name.toLowerCase()) ?? [];
  return [
    ...(direction ? [sql`c.outbound = ${direction === 'outbound'}`] : []),
    ...(outcome !== undefined ? [sql`c.outcome = ${outcome}`] : []),
    ...(minDuration !== undefined ? [sql`c.talk_seconds >= ${minDuration}`] : []),
    ...(qualified !== undefined ? [sql`c.qualified = ${qualified}`] : []),
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

/** The stems of these texts, as the index has them. */
export async function stemsOf(tx: Tx, texts: readonly string[]): Promise<string[]> {
  return (
    await sql<{
      stem: string;
    }>`select distinct unnest(tsvector_to_array(to_tsvector('english', t))) stem
      from unnest(${[...texts]}::text[]) t`.execute(tx)
  ).rows.map((r) => r.stem);
}
/**
 * The words with one of these stems, by the dictionary of the index, so that exactly hits are
 * marked.
 */
export async function wordsMatching(
  tx: Tx,
  words: readonly string[],
  stems: readonly string[],
): Promise<{ word: string; stem: string }[]> {
  if (!words.length || !stems.length) return [];
  return (
    await sql<{
      word: string;
      stem: string;
    }>`select w.word, s.stem from unnest(${[...words]}::text[]) w(word)
      cross join lateral unnest(w.word || ts_lexize('english_stem', w.word)) s(stem)
      where s.stem = any(${[...stems]}::text[])`.execute(tx)
  ).rows;
}
/** A ready transcription with its segments. */
export interface CallTranscript {
  call_id: number;
  kind: 'call' | 'voicemail';
  segments: {
    speaker: 0 | 1 | 2;
    start_ms: number;
    text: string;
    words: { w: string; start_ms: number }[];
  }[];
  text: string;
}
/** The ready transcriptions of these calls. */
export const transcriptsOf = async (
  tx: Tx,
  companyId: number,
  callIds: readonly number[],
): Promise<CallTranscript[]> =>
  callIds.length === 0
    ? []
    : (
        await sql<CallTranscript>`select t.call_id, r.kind, t.text,
            case when jsonb_typeof(t.metadata -> 'segments') = 'array'
              then t.metadata -> 'segments' else '[]' end segments
          from transcription t
            join recording r on r.company_id = t.company_id and r.id = t.recording_id
          where t.company_id = ${companyId} and t.call_id = any(${[...callIds]}::bigint[])
            and t.state = 'ready'
          order by t.call_id, r.kind, t.id`.execute(tx)
      ).rows;
/** The tags of these calls, by name. */
export const tagsOfCalls = async (
  tx: Tx,
  companyId: number,
  callIds: readonly number[],
): Promise<{ call_id: number; id: number; name: string; color: string }[]> =>
  callIds.length === 0
    ? []
    : tx
        .selectFrom('call_tag')
        .innerJoin('tag', (j) =>
          j
            .onRef('tag.company_id', '=', 'call_tag.company_id')
            .onRef('tag.id', '=', 'call_tag.tag_id'),
        )
        .select(['call_tag.call_id', 'tag.id', 'tag.name', 'tag.color'])
        .where('call_tag.company_id', '=', companyId)
        .where('call_tag.call_id', 'in', [...callIds])
        .orderBy('tag.name')
        .execute();
