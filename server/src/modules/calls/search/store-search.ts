/** Finding calls. Speaks SQL for ../store.ts. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { CallRow } from '../records/store.ts';
import type { SearchTerm } from './rules.ts';

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
/** Further than this nobody counts. */
export const COUNT_TO = 10_000;

/**
 * Matches first, by the words' index, fenced; then what only the record knows; then the newest of them. Where nothing but
 * words is asked the records of the page alone are read.
 */
export async function searchPage(
  tx: Tx,
  f: SearchFilter,
  w: { limit: number; offset: number },
): Promise<{ rows: FoundRow[]; total: number; capped: boolean }> {
  const more = [
    ...(f.direction ? [sql`c.outbound = ${f.direction === 'outbound'}`] : []),
    ...(f.outcome !== undefined ? [sql`c.outcome = ${f.outcome}`] : []),
    ...(f.minDuration !== undefined ? [sql`c.talk_seconds >= ${f.minDuration}`] : []),
    ...(f.qualified !== undefined ? [sql`c.qualified = ${f.qualified}`] : []),
    ...(f.tags?.length
      ? [
          sql`exists (select from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id where g.company_id = c.company_id and g.call_id = c.id and lower(t.name) = any(${f.tags.map((name) => name.toLowerCase())}::text[]))`,
        ]
      : []),
  ];
  const numbers = f.numbers ? sql`${[...f.numbers]}::bigint[]` : sql`null::bigint[]`;
  const matching = f.terms
    ? sql`select m.call_id, m.started_at from calls_matching(${f.companyId}, ${JSON.stringify(f.terms)}::jsonb, ${numbers}, ${f.since}, ${f.before}) m`
    : sql`select c.id call_id, c.started_at from call c where c.company_id = ${f.companyId} and (${numbers} is null or c.number_id = any(${numbers})) and c.started_at >= ${f.since} and c.started_at < ${f.before}
        and exists (select from transcription t where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready') order by c.started_at desc, c.id desc limit ${COUNT_TO + 1}`;
  const kept = more.length
    ? sql`select m.call_id, m.started_at from m join call c on c.company_id = ${f.companyId} and c.id = m.call_id where ${sql.join(more, sql` and `)}`
    : sql`select * from m`;
  const { rows } = await sql<FoundRow & { of_all: number }>`
    with m as materialized (${matching}), kept as materialized (${kept}), page as materialized (select call_id, started_at from kept order by started_at desc, call_id desc limit ${w.limit} offset ${w.offset})
    select x.of_all, c.id, c.number_id, c.outbound, c.from_number, c.to_number, c.party, c.caller_name, c.contact_id, c.conversation_id, c.status, c.outcome, c.started_at, c.talk_seconds, c.duration_seconds, c.answered_by, c.note,
      n.number, n.label number_label, (select k.name from contact k where k.company_id = ${f.companyId} and k.id = c.contact_id) contact_name
    from (select count(*)::int of_all from kept) x left join page p on true left join call c on c.company_id = ${f.companyId} and c.id = p.call_id left join number n on n.company_id = ${f.companyId} and n.id = c.number_id order by p.started_at desc, p.call_id desc`.execute(
    tx,
  );
  const n = rows[0]?.of_all ?? 0;
  return {
    rows: rows.filter((r) => r.id !== null),
    total: Math.min(n, COUNT_TO),
    capped: n > COUNT_TO,
  };
}

/** What these texts are to the index. */
export async function stemsOf(tx: Tx, texts: readonly string[]): Promise<string[]> {
  return (
    await sql<{
      stem: string;
    }>`select distinct unnest(tsvector_to_array(to_tsvector('english', t))) stem from unnest(${[...texts]}::text[]) t`.execute(
      tx,
    )
  ).rows.map((r) => r.stem);
}
/** Which of these words the index takes for one of these stems, and for which: the same dictionary, so nothing is marked that was not meant. */
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
    }>`select w.word, s.stem from unnest(${[...words]}::text[]) w(word) cross join lateral unnest(w.word || ts_lexize('english_stem', w.word)) s(stem) where s.stem = any(${[...stems]}::text[])`.execute(
      tx,
    )
  ).rows;
}
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
export const transcriptsOf = async (
  tx: Tx,
  companyId: number,
  callIds: readonly number[],
): Promise<CallTranscript[]> =>
  callIds.length === 0
    ? []
    : (
        await sql<CallTranscript>`select t.call_id, r.kind, t.text, case when jsonb_typeof(t.metadata -> 'segments') = 'array' then t.metadata -> 'segments' else '[]' end segments from transcription t join recording r on r.company_id = t.company_id and r.id = t.recording_id
    where t.company_id = ${companyId} and t.call_id = any(${[...callIds]}::bigint[]) and t.state = 'ready' order by t.call_id, r.kind, t.id`.execute(
          tx,
        )
      ).rows;
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
