import {
  systemCtx,
  type OutboxNotifier,
  type Services,
  type TxCtx,
} from '../../../platform/context.ts';
import type { TranscriptSegment, CarrierTranscript } from '../../../gateways/transcription.ts';
import { finishTranscription, type TranscriptionOutcome } from './finish-transcription.ts';
import { recordingOfCarrier, type RecordingRow } from '../recordings/store.ts';
import { insertTranscription, transcriptionOfRecording } from './store.ts';
import { callRefOfCarrierCall } from '../runtime/store-directory.ts';

/**
 * Stores transcripts that a carrier sends on its own. Existing transcriptions are kept, and none is
 * stored where transcription is off. Throws when the recording is not stored yet, so that the
 * carrier sends the transcript again.
 */
export async function receiveTranscripts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  transcripts: readonly CarrierTranscript[],
): Promise<void> {
  for (const transcript of transcripts) {
    const callRef = await callRefOfCarrierCall(services.db, carrier, transcript.call);
    if (!callRef) {
      services.log.info({ carrier, call: transcript.call }, 'transcript of an unknown call');
      continue;
    }
    const ctx = systemCtx(services, callRef.companyId, notifier, 'words');
    const wanted = await ctx.transaction((t) =>
      wantedTranscription(t, callRef.callId, transcript.recording),
    );
    if (wanted)
      await finishTranscription(
        ctx,
        wanted.id,
        wanted.recording,
        outcomeOf(transcript, wanted.recording),
      );
  }
}

/** The transcription to fill in; null when there is one already, or transcription is off. */
async function wantedTranscription(
  t: TxCtx,
  callId: number,
  carrierRecording: string,
): Promise<{ recording: RecordingRow; id: number } | null> {
  const recording = await recordingOfCarrier(t.tx, t.companyId, callId, carrierRecording);
  if (!recording || recording.state === 'pending')
    throw new Error(`Recording ${carrierRecording} of a transcript is not arrived yet`);
  await insertTranscription(t.tx, {
    company_id: t.companyId,
    recording_id: recording.id,
    call_id: recording.call_id,
    state: 'queued',
    created_at: t.now,
  });
  const known = await transcriptionOfRecording(t.tx, t.companyId, recording.id);
  const open = known && ['queued', 'processing', 'failed'].includes(known.state);
  return open && recording.state === 'ready' ? { recording, id: known.id } : null;
}

function outcomeOf(transcript: CarrierTranscript, recording: RecordingRow): TranscriptionOutcome {
  if (transcript.state !== 'ready')
    return {
      state: 'failed',
      engine: transcript.engine,
      error: transcript.error ?? 'The carrier couldn’t transcribe it.',
    };
  return {
    state: 'ready',
    engine: transcript.engine,
    model: null,
    language: transcript.language,
    confidence: transcript.confidence ?? 0,
    text: transcript.text,
    segments: transcript.text ? segmentsOf(transcript, recording) : [],
  };
}

/**
 * The transcript's segments. Speakers come from the recording's channels; a segment without times
 * covers the whole recording, and so does a text without segments.
 */
function segmentsOf(transcript: CarrierTranscript, recording: RecordingRow): TranscriptSegment[] {
  if (transcript.segments)
    return transcript.segments.map((segment) => ({
      ...segment,
      speaker:
        segment.speaker ||
        (recording.channels === 2 ? (recording.speakers[segment.channel] ?? 0) : 0),
      end_ms: segment.end_ms > segment.start_ms ? segment.end_ms : recording.duration_ms,
    }));
  return [
    {
      i: 0,
      speaker: recording.channels === 1 ? (recording.speakers[0] ?? 0) : 0,
      channel: 0,
      start_ms: 0,
      end_ms: recording.duration_ms,
      text: transcript.text,
      confidence: transcript.confidence ?? 0,
      words: [],
    },
  ];
}
