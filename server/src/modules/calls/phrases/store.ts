/** Phrase lists, and where their phrases were said. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { SpokenPhrase } from '#contract/calls/phrases/schemas';
import type { PhraseSide } from '#contract/calls/phrases/rules';
import { fold } from '#contract/fold';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { SpokenSegment } from './spot.ts';

export type PhraseListRow = Selectable<Tables['phrase_list']> & { said_by: PhraseSide };

/** Locks the company's lists against others that add or rename, until the transaction ends. */
export const lockLists = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`phrase_lists:${companyId}`}, 19))`.execute(
    tx,
  );

/** The company's lists by name. */
export const listsOf = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('phrase_list')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('removed_at', 'is', null)
    .orderBy('name_key')
    .execute() as Promise<PhraseListRow[]>;

/** How many calls since then have each list, of these numbers (null: all). */
export async function countCalls(
  tx: Tx,
  companyId: number,
  since: Date,
  numbers: readonly number[] | null,
): Promise<Map<number, number>> {
  const seen = numbers
    ? sql`join call c on c.company_id = h.company_id and c.id = h.call_id
        and c.number_id = any(${[...numbers]}::bigint[])`
    : sql``;
  const { rows } = await sql<{ list_id: number; n: number }>`
    select h.list_id, count(distinct h.call_id)::int n from phrase_hit h ${seen}
    where h.company_id = ${companyId} and h.called_at >= ${since}
    group by h.list_id`.execute(tx);
  return new Map(rows.map((row) => [row.list_id, row.n]));
}

/** Adds a list. */
export const insertList = (tx: Tx, row: Insertable<Tables['phrase_list']>) =>
  tx
    .insertInto('phrase_list')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow() as Promise<PhraseListRow>;

/** Changes a list. Undefined: none of this ID. */
export const patchList = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Pick<PhraseListRow, 'name' | 'phrases' | 'said_by' | 'at_least' | 'alert' | 'updated_at'>,
) =>
  tx
    .updateTable('phrase_list')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst() as Promise<PhraseListRow | undefined>;

/** Takes a list off all screens; what it found is still there. Undefined: none of this ID. */
export const hideList = (tx: Tx, companyId: number, id: number, now: Date) =>
  tx
    .updateTable('phrase_list')
    .set({ removed_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('name')
    .executeTakeFirst();

/** Deletes what a hidden list found in so many transcripts, and with the last ones the list. Returns how many. */
export async function deleteHidden(
  tx: Tx,
  companyId: number,
  id: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with chosen as (select h.transcription_id from phrase_hit h
        join phrase_list l on l.company_id = h.company_id and l.id = h.list_id
        where h.company_id = ${companyId} and h.list_id = ${id} and l.removed_at is not null
        limit ${most}),
      gone as (delete from phrase_hit h using chosen where h.company_id = ${companyId}
        and h.list_id = ${id} and h.transcription_id = chosen.transcription_id returning 1)
    select count(*)::int n from gone`.execute(tx);
  const n = rows[0]?.n ?? 0;
  if (n < most)
    await tx
      .deleteFrom('phrase_list')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('removed_at', 'is not', null)
      .execute();
  return n;
}

/** Replaces what was found in a transcript, of one list or of all. */
export async function replaceHits(
  tx: Tx,
  companyId: number,
  transcriptionId: number,
  hits: readonly Omit<Insertable<Tables['phrase_hit']>, 'company_id' | 'transcription_id'>[],
  listId?: number,
): Promise<void> {
  await tx
    .deleteFrom('phrase_hit')
    .where('company_id', '=', companyId)
    .where('transcription_id', '=', transcriptionId)
    .$if(listId !== undefined, (q) => q.where('list_id', '=', listId ?? 0))
    .execute();
  if (hits.length > 0)
    await tx
      .insertInto('phrase_hit')
      .values(
        hits.map((hit) => ({ ...hit, company_id: companyId, transcription_id: transcriptionId })),
      )
      .execute();
}

/** Deletes what a list found in calls since then. */
export const deleteHits = (tx: Tx, companyId: number, listId: number, since: Date) =>
  tx
    .deleteFrom('phrase_hit')
    .where('company_id', '=', companyId)
    .where('list_id', '=', listId)
    .where('called_at', '>=', since)
    .execute();

/** Deletes what was found in a transcript whose text goes. */
export const deleteHitsOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  sql`delete from phrase_hit h using transcription t
    where t.company_id = ${companyId} and t.recording_id = ${recordingId}
      and h.company_id = t.company_id and h.transcription_id = t.id`.execute(tx);

/** What was found in a call, by the lists' names. */
export async function hitsOfCall(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<
  { list_id: number; name: string; kind: SpokenPhrase['recording']; spoken: SpokenPhrase[] }[]
> {
  const { rows } = await sql<{
    list_id: number;
    name: string;
    kind: SpokenPhrase['recording'];
    spoken: SpokenPhrase[];
  }>`select h.list_id, l.name, r.kind, h.spoken from phrase_hit h
      join phrase_list l on l.company_id = h.company_id and l.id = h.list_id
      join transcription t on t.company_id = h.company_id and t.id = h.transcription_id
      join recording r on r.company_id = t.company_id and r.id = t.recording_id
    where h.company_id = ${companyId} and h.call_id = ${callId} and l.removed_at is null
    order by l.name_key, h.transcription_id`.execute(tx);
  return rows;
}

/** A transcript that may have the phrases. */
export interface Candidate {
  id: number;
  call_id: number;
  called_at: Date;
  kind: SpokenPhrase['recording'];
  engine: string;
  segments: SpokenSegment[];
}

/** Transcripts that dry runs read, the newest first. */
const MOST_READ = 5000;

/**
 * The newest transcripts since then that have one of these words (folded) anywhere, and whether there
 * are more than were looked through. `numbers`: only calls of these; null: all.
 */
export async function transcriptsWithWords(
  tx: Tx,
  companyId: number,
  {
    since,
    words,
    numbers,
  }: { since: Date; words: readonly string[]; numbers: readonly number[] | null },
): Promise<{ ids: number[]; isPartial: boolean }> {
  const patterns = words.map((word) => `%${fold(word)}%`);
  const { rows } = await sql<{ id: number | null; n: number }>`
    with newest as materialized (select id, call_id, text from transcription
      where company_id = ${companyId} and state = 'ready' and created_at >= ${since}
      order by created_at desc limit ${MOST_READ})
    select m.id, (select count(*)::int from newest) n
    from (select 1) one left join lateral (select w.id from newest w
      where folded(w.text) like any(${patterns}::text[])
        and (${numbers === null} or exists (select from call c where c.company_id = ${companyId}
          and c.id = w.call_id and c.number_id = any(${[...(numbers ?? [])]}::bigint[])))) m on true`.execute(
    tx,
  );
  return {
    ids: rows.flatMap(({ id }) => id ?? []).toSorted((a, b) => b - a),
    isPartial: (rows[0]?.n ?? 0) >= MOST_READ,
  };
}

/** These transcripts with the text and times of their segments, and of their words if asked. */
export async function candidates(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  withWords: boolean,
): Promise<Candidate[]> {
  const segments = withWords
    ? sql`t.metadata -> 'segments'`
    : sql`(select jsonb_agg(x - 'words') from jsonb_array_elements(t.metadata -> 'segments') x)`;
  const { rows } = await sql<Candidate>`select t.id, t.call_id, c.started_at called_at, r.kind,
      coalesce(t.metadata ->> 'engine', '') engine, coalesce(${segments}, '[]') segments
    from transcription t
      join recording r on r.company_id = t.company_id and r.id = t.recording_id
      join call c on c.company_id = t.company_id and c.id = t.call_id
    where t.company_id = ${companyId} and t.id = any(${[...ids]}::bigint[]) and t.state = 'ready'
      and jsonb_typeof(t.metadata -> 'segments') = 'array'
    order by c.started_at desc, t.id desc`.execute(tx);
  return rows;
}
