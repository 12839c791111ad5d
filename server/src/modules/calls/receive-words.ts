import { systemCtx, type House, type Said } from '../../platform/context.ts';
import type { TranscriptSegment, WordsArrived } from '../../ports/transcription.ts';
import { settleWords } from './settle-words.ts';
import {
  insertTranscription,
  recordingOfCarrier,
  transcriptionOfRecording,
} from './store-audio.ts';
import { placeOfCarrierCall } from './store-live.ts';

/**
 * A carrier or a provider sends words of a recording by itself. Words we have stay as they are, and where somebody turned
 * transcription off none are taken. A recording that is not here yet is an error, so that they are sent again.
 */
export async function receiveWords(
  house: House,
  said: Said,
  carrier: string,
  arrived: readonly WordsArrived[],
): Promise<void> {
  for (const words of arrived) {
    const place = await placeOfCarrierCall(house.db, carrier, words.call);
    if (!place) {
      house.log.info({ carrier, call: words.call }, 'words of a call that is nobody’s');
      continue;
    }
    const ctx = systemCtx(house, place.companyId, said, 'words');
    const found = await ctx.transaction(async (t) => {
      const row = await recordingOfCarrier(t.tx, place.companyId, place.callId, words.recording);
      if (!row || row.state === 'pending')
        throw new Error(`words of recording ${words.recording}, which is not here yet`);
      await insertTranscription(t.tx, {
        company_id: place.companyId,
        recording_id: row.id,
        call_id: row.call_id,
        state: 'queued',
        created_at: t.now,
      });
      const known = await transcriptionOfRecording(t.tx, place.companyId, row.id);
      const wanted =
        known && ['queued', 'processing', 'failed'].includes(known.state) && row.state === 'ready';
      return wanted ? { row, id: known.id } : null;
    });
    if (!found) continue;
    const { row, id } = found;
    // Who sits on a channel is known to whoever started the recording; a part without a time may be anywhere in it.
    const told = words.segments?.map((one) => ({
      ...one,
      speaker: one.speaker || (row.channels === 2 ? (row.speakers[one.channel] ?? 0) : 0),
      end_ms: one.end_ms > one.start_ms ? one.end_ms : row.duration_ms,
    })) as TranscriptSegment[] | undefined;
    const segments = told ?? [
      {
        i: 0,
        speaker: row.channels === 1 ? (row.speakers[0] ?? 0) : 0,
        channel: 0,
        start_ms: 0,
        end_ms: row.duration_ms,
        text: words.text,
        confidence: words.confidence ?? 0,
        words: [],
      },
    ];
    await settleWords(
      ctx,
      id,
      row,
      words.state === 'ready'
        ? {
            state: 'ready',
            engine: words.engine,
            model: null,
            language: words.language,
            confidence: words.confidence ?? 0,
            text: words.text,
            segments: words.text ? segments : [],
          }
        : {
            state: 'failed',
            engine: words.engine,
            error: words.error ?? 'The carrier could not write it down.',
          },
    );
  }
}
