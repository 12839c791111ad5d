import type { Ctx } from '../../platform/context.ts';
import { settleWords, type Settled } from './settle-words.ts';
import { fileOf, patchTranscription, recordingRow, transcriptionForChange } from './store-audio.ts';

const LANGUAGE = 'en-US';

/** Have a recording written down. The engine is asked outside any transaction; asking it twice gives the same words. */
export async function transcribeRecording(
  ctx: Ctx,
  { transcriptionId }: { transcriptionId: number },
  attempt: { last: boolean },
): Promise<void> {
  const begun = await ctx.transaction(async (t) => {
    const words = await transcriptionForChange(t.tx, ctx.companyId, transcriptionId);
    if (!words || !['queued', 'processing'].includes(words.state)) return null;
    const row = await recordingRow(t.tx, ctx.companyId, words.recording_id);
    const file = row?.file_id ? await fileOf(t.tx, ctx.companyId, row.file_id) : undefined;
    if (!row || !file) return null;
    await patchTranscription(t.tx, ctx.companyId, transcriptionId, { state: 'processing' });
    return { row, key: file.key };
  });
  if (!begun) return;
  const { row, key } = begun;
  let said: Settled;
  try {
    said = await ctx.ports.transcription.transcribe({
      recording: () => ctx.files.bytes.get(key),
      durationMs: row.duration_ms,
      channels: row.channels,
      language: LANGUAGE,
      speakers: row.speakers,
      ...(row.speech ? { speech: row.speech } : {}),
    });
  } catch (error) {
    if (!attempt.last) throw error;
    said = {
      state: 'failed',
      engine: ctx.ports.transcription.engine,
      error: String(error).slice(0, 300),
    };
  }
  await settleWords(ctx, transcriptionId, row, said);
}
