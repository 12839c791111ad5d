import type { Ctx } from '../../../platform/context.ts';
import { finishTranscription, type TranscriptionOutcome } from './finish-transcription.ts';
import { fileOf, recordingRow } from '../recordings/store.ts';
import { patchTranscription, lockTranscription } from './store.ts';

const LANGUAGE = 'en-US';

/**
 * Transcribes a recording; the provider is called outside of any transaction. Safe to run twice; it
 * throws to be retried, until the last attempt.
 */
export async function transcribeRecording(
  ctx: Ctx,
  { transcriptionId }: { transcriptionId: number },
  attempt: { last: boolean },
): Promise<void> {
  const started = await ctx.transaction(async (t) => {
    const transcription = await lockTranscription(t.tx, ctx.companyId, transcriptionId);
    if (!transcription || !['queued', 'processing'].includes(transcription.state)) return null;
    const row = await recordingRow(t.tx, ctx.companyId, transcription.recording_id);
    const file = row?.file_id ? await fileOf(t.tx, ctx.companyId, row.file_id) : undefined;
    if (!row || !file) return null;
    await patchTranscription(t.tx, ctx.companyId, transcriptionId, { state: 'processing' });
    return { row, key: file.key };
  });
  if (!started) return;
  const { row, key } = started;
  let result: TranscriptionOutcome;
  try {
    result = await ctx.gateways.transcription.transcribe({
      recording: () => ctx.files.blobs.get(key),
      durationMs: row.duration_ms,
      channels: row.channels,
      language: LANGUAGE,
      speakers: row.speakers,
      ...(row.speech ? { speech: row.speech } : {}),
    });
  } catch (error) {
    if (!attempt.last) throw error;
    result = {
      state: 'failed',
      engine: ctx.gateways.transcription.engine,
      error: String(error).slice(0, 300),
    };
  }
  await finishTranscription(ctx, transcriptionId, row, result);
}
