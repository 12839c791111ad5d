/** Transcriptions of recordings. */
import type { Tx } from '../../../platform/db.ts';

/** The transcription of a recording (A9.3). */
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

/** Inserts a transcription and returns its id; undefined: the recording has one already. */
export async function insertTranscription(
  tx: Tx,
  row: {
    company_id: number;
    recording_id: number;
    call_id: number;
    state: 'queued' | 'skipped';
    metadata?: unknown;
    statistics?: unknown;
    created_at: Date;
    finished_at?: Date;
  },
): Promise<number | undefined> {
  return (
    await tx
      .insertInto('transcription')
      .values({
        ...row,
        metadata: row.metadata ? JSON.stringify(row.metadata) : null,
        statistics: row.statistics ? JSON.stringify(row.statistics) : null,
      })
      .onConflict((c) => c.columns(['company_id', 'recording_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id;
}
/** A transcription, locked until the transaction ends. Undefined: none of this ID. */
export const lockTranscription = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<TranscriptionRow | undefined>;
/** All transcriptions of a call's recordings. */
export const transcriptionsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute() as Promise<TranscriptionRow[]>;
/** Changes columns of a transcription; undefined ones stay. */
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
  // Kysely leaves out columns that are undefined.
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  await tx
    .updateTable('transcription')
    .set({
      ...patch,
      raw: json(patch.raw),
      metadata: json(patch.metadata),
      statistics: json(patch.statistics),
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}
/** Removes the text of a deleted recording's transcription. */
export const redactTranscription = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .updateTable('transcription')
    .set({ state: 'redacted', text: '', raw: null, metadata: null, statistics: null })
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .execute();

/** The transcription of a recording. Undefined: none was requested. */
export const transcriptionOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .selectFrom('transcription')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .executeTakeFirst() as Promise<TranscriptionRow | undefined>;
