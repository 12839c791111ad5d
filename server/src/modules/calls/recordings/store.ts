/** Recordings and their files. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db.ts';

/** A recording. `speakers`, `peaks`: one entry per channel; `delete_after`: end of retention. */
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
  /** When someone speaks on each channel, from and to in milliseconds; null: unknown. */
  voice: [number, number][][] | null;
  file_id: number | null;
  delete_after: Date | null;
  ready_at: Date | null;
  created_at: Date;
}
/** Inserts a recording and returns its id; undefined: known already. */
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
  const inserted = await tx
    .insertInto('recording')
    .values({
      ...row,
      state: 'pending',
      speech: row.speech ? JSON.stringify(row.speech) : null,
      peaks: JSON.stringify(row.peaks),
    })
    .onConflict((c) => c.columns(['company_id', 'carrier_recording']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}
/** A recording, deleted ones included. Undefined: none of this ID. */
export const recordingRow = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<RecordingRow | undefined>;
/**
 * The recording, locked: the job that copies it may run twice at once. Undefined: none of this ID.
 */
export const lockRecording = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<RecordingRow | undefined>;
/** The recordings of a call in the order in which they began, deleted ones included. */
export const recordingsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('recording')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id')
    .execute() as Promise<RecordingRow[]>;
/** Changes columns of a recording. `peaks`: loudness per channel for the waveform. */
export async function patchRecording(
  tx: Tx,
  companyId: number,
  id: number,
  patch: {
    state?: RecordingRow['state'];
    file_id?: number | null;
    peaks?: number[][];
    voice?: RecordingRow['voice'];
    ready_at?: Date;
    deleted_at?: Date;
    failure?: string;
    fetch_url?: null;
    speech?: null;
  },
): Promise<void> {
  await tx
    .updateTable('recording')
    .set({
      ...patch,
      peaks: patch.peaks && JSON.stringify(patch.peaks),
      voice: patch.voice && JSON.stringify(patch.voice),
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}
/** Recordings of all companies past their retention, 500 at most; none under legal hold. */
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
      .where(
        sql<boolean>`not exists (select from call c join legal_hold h
          on h.company_id = c.company_id and h.number = c.party
          where c.company_id = recording.company_id and c.id = recording.call_id)`,
      )
      .limit(500)
      .execute()
  ).map((r) => ({ companyId: r.company_id, id: r.id }));

/** A call's recording by the carrier's recording id. Undefined: unknown to us. */
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
/** A file that is not deleted, with the key of its bytes. Undefined: none. */
export const fileOf = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('file')
    .select(['id', 'key', 'content_type', 'bytes'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
