/** What sounds: recordings, voicemails, their words. Speaks SQL for store.ts. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export interface RecordingRow {
  company_id: number;
  id: number;
  call_id: number;
  carrier_recording: string;
  kind: 'call' | 'voicemail';
  state: 'pending' | 'ready' | 'deleted' | 'redacted' | 'failed';
  fetch_url: string | null;
  content_type: string;
  duration_ms: number;
  channels: 1 | 2;
  speakers: (0 | 1 | 2)[];
  speech: { channel: number; text: string; startMs: number }[] | null;
  peaks: number[][];
  file_id: number | null;
  delete_after: Date | null;
  ready_at: Date | null;
  created_at: Date;
}
export interface TranscriptionRow {
  id: number;
  recording_id: number;
  call_id: number;
  state: 'queued' | 'processing' | 'ready' | 'failed' | 'skipped' | 'redacted';
  text: string;
  raw: unknown;
  metadata: unknown;
  statistics: unknown;
  created_at: Date;
}

/** Enter a recording the carrier has; undefined when it was entered before. */
export async function insertRecording(
  tx: Tx,
  row: Pick<
    RecordingRow,
    | 'company_id'
    | 'call_id'
    | 'carrier_recording'
    | 'kind'
    | 'fetch_url'
    | 'content_type'
    | 'duration_ms'
    | 'channels'
    | 'speakers'
    | 'speech'
    | 'peaks'
    | 'delete_after'
    | 'created_at'
  >,
): Promise<number | undefined> {
  const kept = await tx
    .insertInto('recording')
    .values({
      ...row,
      state: 'pending',
      speakers: sql`${row.speakers}::smallint[]` as never,
      speech: row.speech ? JSON.stringify(row.speech) : null,
      peaks: JSON.stringify(row.peaks),
    })
    .onConflict((c) => c.columns(['company_id', 'carrier_recording']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return kept?.id;
}
export const recordingRow = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<RecordingRow | undefined>;
/** The row, locked: the job that copies it may run twice at once. */
export const lockRecording = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<RecordingRow | undefined>;
export const recordingsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id')
    .execute() as Promise<RecordingRow[]>;
export async function patchRecording(
  tx: Tx,
  companyId: number,
  id: number,
  patch: {
    state?: RecordingRow['state'];
    file_id?: number | null;
    peaks?: number[][];
    ready_at?: Date;
    deleted_at?: Date;
    failure?: string;
    fetch_url?: null;
    speech?: null;
  },
): Promise<void> {
  await tx
    .updateTable('recording')
    .set({ ...patch, ...(patch.peaks ? { peaks: JSON.stringify(patch.peaks) } : {}) } as never)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}
export const expiredRecordings = async (
  db: Db,
  now: Date,
): Promise<{ companyId: number; id: number }[]> =>
  (
    await db.unscoped
      .selectFrom('recording')
      .select(['company_id', 'id'])
      .where('state', '=', 'ready')
      .where('delete_after', '<', now)
      .limit(500)
      .execute()
  ).map((r) => ({ companyId: r.company_id, id: r.id }));

export async function insertVoicemail(
  tx: Tx,
  row: {
    company_id: number;
    call_id: number;
    number_id: number;
    recording_id: number;
    duration_seconds: number;
    received_at: Date;
  },
): Promise<number | undefined> {
  return (
    await tx
      .insertInto('voicemail')
      .values(row)
      .onConflict((c) => c.columns(['company_id', 'recording_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id;
}
export const voicemailOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('voicemail')
    .select(['id', 'recording_id', 'duration_seconds'])
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
export const voicemailOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .selectFrom('voicemail')
    .select(['id'])
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();

export async function insertTranscription(
  tx: Tx,
  row: {
    company_id: number;
    recording_id: number;
    call_id: number;
    state: 'queued' | 'skipped';
    metadata?: unknown;
    created_at: Date;
    finished_at?: Date;
  },
): Promise<number | undefined> {
  return (
    await tx
      .insertInto('transcription')
      .values({ ...row, metadata: row.metadata ? JSON.stringify(row.metadata) : null })
      .onConflict((c) => c.columns(['company_id', 'recording_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id;
}
export const lockTranscription = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<TranscriptionRow | undefined>;
export const transcriptionsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute() as Promise<TranscriptionRow[]>;
export async function patchTranscription(
  tx: Tx,
  companyId: number,
  id: number,
  patch: {
    state: TranscriptionRow['state'];
    text?: string;
    raw?: unknown;
    metadata?: unknown;
    statistics?: unknown;
    finished_at?: Date;
  },
): Promise<void> {
  const json = (v: unknown) => (v === undefined ? undefined : JSON.stringify(v));
  const set = {
    ...patch,
    raw: json(patch.raw),
    metadata: json(patch.metadata),
    statistics: json(patch.statistics),
  };
  await tx
    .updateTable('transcription')
    .set(Object.fromEntries(Object.entries(set).filter(([, v]) => v !== undefined)) as never)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}
/** Words follow their recording: what is deleted can no longer be read either. */
export const redactTranscription = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .updateTable('transcription')
    .set({ state: 'redacted', text: '', raw: null, metadata: null, statistics: null })
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .execute();

export const recordingOfCarrier = (
  tx: Tx,
  companyId: number,
  callId: number,
  carrierRecording: string,
) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('carrier_recording', '=', carrierRecording)
    .executeTakeFirst() as Promise<RecordingRow | undefined>;
export const transcriptionOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .executeTakeFirst() as Promise<TranscriptionRow | undefined>;
/** A voicemail with who left it and its words so far. */
export const voicemailForMail = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('voicemail as v')
    .innerJoin('call as c', (j) =>
      j.onRef('c.company_id', '=', 'v.company_id').onRef('c.id', '=', 'v.call_id'),
    )
    .innerJoin('recording as r', (j) =>
      j.onRef('r.company_id', '=', 'v.company_id').onRef('r.id', '=', 'v.recording_id'),
    )
    .leftJoin('contact as k', (j) =>
      j.onRef('k.company_id', '=', 'c.company_id').onRef('k.id', '=', 'c.contact_id'),
    )
    .leftJoin('transcription as t', (j) =>
      j.onRef('t.company_id', '=', 'v.company_id').onRef('t.recording_id', '=', 'v.recording_id'),
    )
    .select([
      'v.number_id',
      'v.call_id',
      'v.duration_seconds',
      'v.received_at',
      'c.party',
      'k.name as contact_name',
      'r.file_id',
      't.state',
      't.text',
    ])
    .where('v.company_id', '=', companyId)
    .where('v.id', '=', id)
    .executeTakeFirst();

/** The file's row: where its bytes are. */
export const fileOf = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('file')
    .select(['id', 'key', 'content_type', 'bytes'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The words of a voicemail as they stand now; undefined while nothing was written down. */
export const voicemailTranscript = (
  tx: Tx,
  companyId: number,
  voicemailId: number,
): Promise<{ state: string; text: string } | undefined> =>
  tx
    .selectFrom('voicemail as v')
    .innerJoin('transcription as t', (j) =>
      j.onRef('t.company_id', '=', 'v.company_id').onRef('t.recording_id', '=', 'v.recording_id'),
    )
    .select(['t.state', 't.text'])
    .where('v.company_id', '=', companyId)
    .where('v.id', '=', voicemailId)
    .executeTakeFirst();
