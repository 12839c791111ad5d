/** Voicemails: messages left on a call. */
import type { Tx } from '../../../platform/db.ts';

/** Inserts a voicemail and returns its id; undefined: the recording has one already. */
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
/** The latest voicemail of a call. Undefined: nobody left one. */
export const voicemailOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('voicemail')
    .select(['id', 'recording_id', 'duration_seconds'])
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
/** The voicemail that this recording is. Undefined: it is a recording of the call. */
export const voicemailOfRecording = (tx: Tx, companyId: number, recordingId: number) =>
  tx
    .selectFrom('voicemail')
    .select(['id'])
    .where('company_id', '=', companyId)
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();

/** A voicemail with its caller and transcription, for the mail. Undefined: none of this ID. */
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

/** A voicemail's transcription; undefined: it has none. */
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
