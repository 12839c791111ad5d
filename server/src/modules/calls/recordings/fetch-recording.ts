import { calls as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { hasPlanFeature, roomProblem } from '../../billing/index.ts';
import { createHttpClient } from '../../../platform/http-client/http-client.ts';
import { callEventData } from '../runtime/publish-call-events.ts';
import { inspectRecording } from './inspect-recording.ts';
import { isSilence, SHORTEST_TRANSCRIBED_MS, SHORTEST_VOICEMAIL_MS } from '../rules.ts';
import { lockExistingCall, carrierOfCall } from '../records/store.ts';
import { patchRecording, lockRecording, recordingRow, type RecordingRow } from './store.ts';
import { statisticsOf } from '../transcripts/speaking-statistics.ts';
import { insertTranscription } from '../transcripts/store.ts';
import { insertVoicemail } from '../voicemail/store.ts';
import { transcriptionMetadata } from '../transcripts/transcription-metadata.ts';
import { deleteRecordingJob, transcribeRecordingJob } from '../job-kinds.ts';

/** Larger recordings are not stored. */
const LARGEST_BYTES = 600 * 1024 * 1024;

/**
 * Copies a recording from the carrier into our files, publishes it and queues its transcription.
 * Running it twice is harmless; it throws to be retried, until the last attempt.
 */
export async function fetchRecording(
  ctx: Ctx,
  { recordingId }: { recordingId: number },
  attempt: { last: boolean },
): Promise<void> {
  const { recording, carrier } = await ctx.transaction(async (t) => {
    const row = await recordingRow(t.tx, ctx.companyId, recordingId);
    return {
      recording: row,
      carrier: row && (await carrierOfCall(t.tx, ctx.companyId, row.call_id)),
    };
  });
  if (!recording || recording.state !== 'pending' || !recording.fetch_url) return;
  let bytes: Buffer;
  try {
    bytes = await download(ctx, carrier ?? '', recording.fetch_url);
  } catch (error) {
    if (!attempt.last) throw error;
    await ctx.transaction((t) =>
      patchRecording(t.tx, ctx.companyId, recordingId, {
        state: 'failed',
        failure: String(error).slice(0, 500),
      }),
    );
    return;
  }
  const sound = await inspectRecording(bytes);
  await ctx.transaction(async (t) => {
    const row = await lockRecording(t.tx, ctx.companyId, recordingId);
    // A concurrent run stored it first.
    if (row?.state !== 'pending') return;
    const file = await ctx.files.save(
      t.tx,
      ctx.companyId,
      {
        name: `${row.kind}-${row.call_id}.${extensionOf(row.content_type)}`,
        contentType: row.content_type,
        bytes,
        purpose: row.kind === 'voicemail' ? 'voicemail' : 'recording',
      },
      ctx.now,
    );
    const peaks = row.peaks.length ? row.peaks : (sound?.peaks ?? []);
    const voice = sound?.voice ?? null;
    await patchRecording(t.tx, ctx.companyId, recordingId, {
      state: 'ready',
      file_id: file.id,
      peaks,
      voice,
      ready_at: ctx.now,
      fetch_url: null,
    });
    const url = recording.fetch_url;
    if (url && carrier && ctx.gateways.carriers.byName(carrier)?.voice?.deleteRecording)
      await t.enqueue(deleteRecordingJob, { carrier, url });
    await announceRecording(t, { ...row, peaks }, file.id);
    await queueTranscription(t, { ...row, voice });
  });
}

function extensionOf(contentType: string): string {
  if (contentType === 'audio/wav') return 'wav';
  return contentType === 'audio/ogg' ? 'ogg' : 'audio';
}

/** Publishes a call recording, or stores and publishes a voicemail. */
async function announceRecording(t: TxCtx, row: RecordingRow, fileId: number): Promise<void> {
  const call = await lockExistingCall(t.tx, t.companyId, row.call_id);
  const durationSeconds = Math.round(row.duration_ms / 1000);
  const about = { numberId: call.number_id };
  if (row.kind === 'call')
    return t.publish(
      contract.recordingReady,
      { callId: call.id, numberId: call.number_id, fileId, durationSeconds },
      about,
    );
  // A caller who said nothing left no voicemail (A5.1).
  if (row.duration_ms < SHORTEST_VOICEMAIL_MS || isSilence(row.peaks)) return;
  const voicemailId = await insertVoicemail(t.tx, {
    company_id: t.companyId,
    call_id: call.id,
    number_id: call.number_id,
    recording_id: row.id,
    duration_seconds: durationSeconds,
    received_at: t.now,
  });
  if (voicemailId === undefined) return;
  await t.publish(
    contract.voicemailReceived,
    {
      ...callEventData(call),
      voicemailId,
      durationSeconds,
      fileId,
      receivedAt: t.now.toISOString(),
      alertEmails: call.alert_emails,
    },
    about,
  );
}

/** Whether the plan transcribes this kind of recording, and has minutes left for it. */
async function isInPlan(t: TxCtx, row: RecordingRow): Promise<boolean> {
  if (row.kind === 'voicemail') return hasPlanFeature(t, 'voicemail_text');
  const minutes = Math.ceil(row.duration_ms / 60_000);
  return (
    (await hasPlanFeature(t, 'transcription')) &&
    (await roomProblem(t, 'transcription_minutes', minutes)) === null
  );
}

/** Queues the transcription, or stores why there is none. */
async function queueTranscription(t: TxCtx, row: RecordingRow): Promise<void> {
  const call = await lockExistingCall(t.tx, t.companyId, row.call_id);
  const about = {
    company_id: t.companyId,
    recording_id: row.id,
    call_id: row.call_id,
    // True also where there will be no words.
    statistics: statisticsOf(row, []),
    created_at: t.now,
  };
  const wanted = row.kind === 'voicemail' ? call.transcribe_voicemail : call.transcribe;
  const tooShort = row.duration_ms < SHORTEST_TRANSCRIBED_MS && row.kind === 'call';
  const skipped = !wanted
    ? 'disabled'
    : tooShort
      ? 'too_short'
      : (await isInPlan(t, row))
        ? null
        : 'plan';
  if (skipped) {
    await insertTranscription(t.tx, {
      ...about,
      state: 'skipped',
      metadata: transcriptionMetadata(
        row,
        {
          engine: 'none',
          model: null,
          language: 'en-US',
          confidence: null,
          segments: [],
          skipped_reason: skipped,
        },
        t.now,
      ),
      finished_at: t.now,
    });
    return;
  }
  const id = await insertTranscription(t.tx, { ...about, state: 'queued' });
  if (id !== undefined) await t.enqueue(transcribeRecordingJob, { transcriptionId: id });
}

/** Downloads a recording, through its carrier's client if that needs credentials. */
async function download(ctx: Ctx, carrier: string, url: string): Promise<Buffer> {
  const voice = ctx.gateways.carriers.byName(carrier)?.voice;
  const bytes = voice?.fetchRecording ? await voice.fetchRecording(url) : await openUrl(url);
  if (!bytes) throw new Error('The carrier no longer has this recording');
  if (bytes.length === 0 || bytes.length > LARGEST_BYTES)
    throw new Error(`The recording has ${bytes.length} bytes`);
  return bytes;
}

const recordings = createHttpClient({
  target: 'recordings',
  totalMs: 120_000,
  maxBytes: LARGEST_BYTES,
});

async function openUrl(url: string): Promise<Buffer> {
  const answer = await recordings.request(url, { attempts: 2, redirects: 5 });
  if (answer.status >= 300)
    throw new Error(`The carrier answered ${answer.status} for the recording`);
  return answer.body;
}

/** Deletes the carrier's copy, once ours is stored. */
export async function deleteCarrierRecording(
  ctx: Ctx,
  { carrier, url }: { carrier: string; url: string },
): Promise<void> {
  await ctx.gateways.carriers.byName(carrier)?.voice?.deleteRecording?.(url);
}
