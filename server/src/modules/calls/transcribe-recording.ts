import { calls as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import type { TranscriptSegment, Transcribed } from '../../ports/transcription.ts';
import { speakingStatistics } from './rules.ts';
import { callForChange } from './store.ts';
import { fileOf, patchTranscription, recordingRow, transcriptionForChange, voicemailOfRecording, type RecordingRow } from './store-audio.ts';

const LANGUAGE = 'en-US';

/** A9.3 metadata. What nobody has worked out (topics, summary, sentiment) is empty, not invented. */
export function metadataOf(
  row: Pick<RecordingRow, 'duration_ms' | 'channels'>,
  said: { engine: string; model: string | null; language: string; confidence: number | null; segments: TranscriptSegment[]; skipped_reason?: string | null; error?: string | null },
  now: Date,
) {
  return {
    engine: said.engine, model: said.model, language: said.language, confidence: said.confidence, duration_ms: row.duration_ms, channels: row.channels, created_at: now.toISOString(),
    redactions: [], segments: said.segments, keywords: [], topics: [], summary: null, sentiment: null, skipped_reason: said.skipped_reason ?? null, error: said.error ?? null,
  };
}

/** Have a recording written down. The engine is asked outside any transaction; asking it twice gives the same words. */
export async function transcribeRecording(ctx: Ctx, { transcriptionId }: { transcriptionId: number }, attempt: { last: boolean }): Promise<void> {
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
  let said: Transcribed | { state: 'failed'; engine: string; error: string };
  try {
    said = await ctx.ports.transcription.transcribe({
      recording: () => ctx.files.bytes.get(key), durationMs: row.duration_ms, channels: row.channels, language: LANGUAGE, speakers: row.speakers,
      ...(row.speech ? { speech: row.speech } : {}),
    });
  } catch (error) {
    if (!attempt.last) throw error;
    said = { state: 'failed', engine: ctx.ports.transcription.engine, error: String(error).slice(0, 300) };
  }
  await ctx.transaction(async (t) => {
    const words = await transcriptionForChange(t.tx, ctx.companyId, transcriptionId);
    if (words?.state !== 'processing') return;
    const call = (await callForChange(t.tx, ctx.companyId, row.call_id))!;
    const ready = said.state === 'ready' ? said : null;
    await patchTranscription(t.tx, ctx.companyId, transcriptionId, {
      state: said.state, text: ready?.text ?? '', finished_at: ctx.now, ...(ready ? { raw: { engine: ready.engine, segments: ready.segments.length } } : {}),
      metadata: metadataOf(row, {
        engine: said.engine, model: ready?.model ?? null, language: ready?.language ?? LANGUAGE, confidence: ready?.confidence ?? null, segments: ready?.segments ?? [],
        skipped_reason: said.state === 'skipped' ? said.reason : null, error: said.state === 'failed' ? said.error : null,
      }, ctx.now),
      ...(ready ? { statistics: speakingStatistics(ready.segments, row.duration_ms) } : {}),
    });
    const voicemail = await voicemailOfRecording(t.tx, ctx.companyId, row.id);
    await t.say(contract.transcriptionReady, { callId: call.id, numberId: call.number_id, voicemailId: voicemail?.id ?? null, state: said.state, text: ready?.text ?? '' }, { numberId: call.number_id });
  });
}
