import { systemCtx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import type { TranscriptSegment, CarrierTranscript } from '../../gateways/transcription.ts';
import { finishTranscription } from './finish-transcription.ts';
import {
  insertTranscription,
  recordingOfCarrier,
  transcriptionOfRecording,
} from './store-audio.ts';
import { callRefOfCarrierCall } from './store-live.ts';

/**
 * A carrier or a provider sends words of a recording by itself. Words we have stay as they are, and where somebody turned
 * transcription off none are taken. A recording that is not here yet is an error, so that they are sent again.
 */
export async function receiveTranscripts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  arrived: readonly CarrierTranscript[],
): Promise<void> {
  for (const transcript of arrived) {
    const callRef = await callRefOfCarrierCall(services.db, carrier, transcript.call);
    if (!callRef) {
      services.log.info({ carrier, call: transcript.call }, 'transcript of an unknown call');
      continue;
    }
    const ctx = systemCtx(services, callRef.companyId, notifier, 'words');
    const found = await ctx.transaction(async (t) => {
      const row = await recordingOfCarrier(
        t.tx,
        callRef.companyId,
        callRef.callId,
        transcript.recording,
      );
      if (!row || row.state === 'pending')
        throw new Error(
          `transcript of recording ${transcript.recording}, which has not arrived yet`,
        );
      await insertTranscription(t.tx, {
        company_id: callRef.companyId,
        recording_id: row.id,
        call_id: row.call_id,
        state: 'queued',
        created_at: t.now,
      });
      const known = await transcriptionOfRecording(t.tx, callRef.companyId, row.id);
      const wanted =
        known && ['queued', 'processing', 'failed'].includes(known.state) && row.state === 'ready';
      return wanted ? { row, id: known.id } : null;
    });
    if (!found) continue;
    const { row, id } = found;
    // Who sits on a channel is known to whoever started the recording; a part without a time may be anywhere in it.
    const published = transcript.segments?.map((one) => ({
      ...one,
      speaker: one.speaker || (row.channels === 2 ? (row.speakers[one.channel] ?? 0) : 0),
      end_ms: one.end_ms > one.start_ms ? one.end_ms : row.duration_ms,
    })) as TranscriptSegment[] | undefined;
    const segments = published ?? [
      {
        i: 0,
        speaker: row.channels === 1 ? (row.speakers[0] ?? 0) : 0,
        channel: 0,
        start_ms: 0,
        end_ms: row.duration_ms,
        text: transcript.text,
        confidence: transcript.confidence ?? 0,
        words: [],
      },
    ];
    await finishTranscription(
      ctx,
      id,
      row,
      transcript.state === 'ready'
        ? {
            state: 'ready',
            engine: transcript.engine,
            model: null,
            language: transcript.language,
            confidence: transcript.confidence ?? 0,
            text: transcript.text,
            segments: transcript.text ? segments : [],
          }
        : {
            state: 'failed',
            engine: transcript.engine,
            error: transcript.error ?? 'The carrier couldn’t transcribe it.',
          },
    );
  }
}
