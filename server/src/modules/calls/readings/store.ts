/** What language models found in calls. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { CallReadingShown } from '#contract/calls/readings/schemas';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

/** The findings of a reading as they are shown. */
export type Found = Pick<
  CallReadingShown,
  'summary' | 'sentiment' | 'outcome' | 'fields' | 'dropped'
>;
export type ReadingRow = Omit<Selectable<Tables['call_reading']>, 'found' | 'state'> & {
  found: Found | null;
  state: CallReadingShown['state'];
};

/** The latest reading of a call. Undefined: none was asked for. */
export const latestReading = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_reading')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst() as Promise<ReadingRow | undefined>;

/** A reading, locked until the transaction ends. Undefined: none of this ID. */
export const lockReading = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('call_reading')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<ReadingRow | undefined>;

/** Adds a reading that is to be made. */
export const insertReading = (tx: Tx, row: Insertable<Tables['call_reading']>) =>
  tx
    .insertInto('call_reading')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow() as Promise<ReadingRow>;

/** Stores how a reading ended. */
export const finishReading = (
  tx: Tx,
  companyId: number,
  id: number,
  { found, ...patch }: Partial<Omit<ReadingRow, 'company_id' | 'id'>>,
) =>
  tx
    .updateTable('call_reading')
    .set({ ...patch, ...(found && { found: JSON.stringify(found) }) })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Deletes what was found in a recording whose text goes. */
export const deleteReadingsOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  sql`delete from call_reading g using transcription t
    where t.company_id = ${companyId} and t.recording_id = ${recordingId}
      and g.company_id = t.company_id and g.transcription_id = t.id`.execute(tx);

/** The newest transcript of a call that has words. */
export interface ReadableTranscript {
  id: number;
  engine: string;
  segments: TranscriptSegment[];
}
/** Undefined: the call has no transcript with segments. */
export async function readableTranscript(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<ReadableTranscript | undefined> {
  const { rows } =
    await sql<ReadableTranscript>`select id, coalesce(metadata ->> 'engine', '') engine,
      metadata -> 'segments' segments
    from transcription where company_id = ${companyId} and call_id = ${callId} and state = 'ready'
      and jsonb_typeof(metadata -> 'segments') = 'array'
    order by id desc limit 1`.execute(tx);
  return rows[0];
}

/** Writes the summary and the mood into a transcript's metadata (A9.3); undefined ones stay. */
export const patchMetadata = (
  tx: Tx,
  companyId: number,
  transcriptionId: number,
  { summary, mood }: { summary?: string | undefined; mood?: string | undefined },
) =>
  sql`update transcription set metadata = metadata
      ${summary === undefined ? sql`` : sql`|| ${JSON.stringify({ summary: { text: summary, bullets: [] } })}::jsonb`}
      ${
        mood === undefined
          ? sql``
          : sql`|| ${JSON.stringify({
              sentiment: { overall: mood, agent: null, client: mood, timeline: [] },
            })}::jsonb`
      }
    where company_id = ${companyId} and id = ${transcriptionId}`.execute(tx);

/** What a call's newest transcript says of the mood; null: nothing. */
export async function moodOfCall(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<string | null> {
  const { rows } = await sql<{ mood: string | null }>`
    select metadata #>> '{sentiment,overall}' mood from transcription
    where company_id = ${companyId} and call_id = ${callId} and state = 'ready'
    order by id desc limit 1`.execute(tx);
  return rows[0]?.mood ?? null;
}
