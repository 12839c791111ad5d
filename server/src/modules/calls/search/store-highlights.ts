/** What search results show: the words that matched, where they were said, and tags. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

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
