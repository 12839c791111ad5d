import { calls as contract } from '#contract';
import { companySettingsOf } from '#contract/setting-rules';
import { WaveformPeaks } from '../../platform/audio/loudness.ts';
import { readWav } from '../../platform/audio/wav.ts';
import type { Ctx } from '../../platform/context.ts';
import type { TranscriptionResult } from '../../gateways/transcription.ts';
import { companyRow } from '../companies/index.ts';
import { keywordsOf } from './keywords.ts';
import { redact, type RedactionKind, type Redaction } from './redaction/rules.ts';
import { silenceSpans } from './redaction/silence-spans.ts';
import { speakingStatistics } from './rules.ts';
import { addHistory, lockCall } from './store.ts';
import {
  fileOf,
  patchRecording,
  patchTranscription,
  lockTranscription,
  voicemailOfRecording,
  type RecordingRow,
} from './store-audio.ts';
import { transcriptionMetadata } from './transcription-metadata.ts';

export type TranscriptionOutcome =
  | TranscriptionResult
  | { state: 'failed'; engine: string; error: string };
const LANGUAGE = 'en-US';

/**
 * Words have come, from our engine or from a carrier: what must not be kept is taken out of them and silenced in the sound,
 * then they are stored and told. Words that are there already stay; the second time is boring.
 */
export async function finishTranscription(
  ctx: Ctx,
  transcriptionId: number,
  row: RecordingRow,
  result: TranscriptionOutcome,
): Promise<void> {
  const ready = result.state === 'ready' ? result : null;
  const kinds = ready
    ? await ctx.transaction(async (t) =>
        redactionKinds((await companyRow(t.tx, t.companyId))?.settings),
      )
    : [];
  const { segments, redactions } = ready
    ? redact(ready.segments, kinds)
    : { segments: [], redactions: [] };
  const text = redactions.length ? segments.map((s) => s.text).join('\n') : (ready?.text ?? '');
  const silencedSound = redactions.length ? await silenceRecording(ctx, row, redactions) : null;
  await ctx.transaction(async (t) => {
    const words = await lockTranscription(t.tx, t.companyId, transcriptionId);
    if (!words || ['ready', 'redacted'].includes(words.state)) return;
    const call = (await lockCall(t.tx, t.companyId, row.call_id))!;
    await patchTranscription(t.tx, t.companyId, transcriptionId, {
      state: result.state,
      text,
      finished_at: t.now,
      ...(ready ? { raw: { engine: ready.engine, segments: segments.length } } : {}),
      metadata: {
        ...transcriptionMetadata(
          row,
          {
            engine: result.engine,
            model: ready?.model ?? null,
            language: ready?.language ?? LANGUAGE,
            confidence: ready?.confidence ?? null,
            segments,
            skipped_reason: result.state === 'skipped' ? result.reason : null,
            error: result.state === 'failed' ? result.error : null,
          },
          t.now,
        ),
        redactions,
        keywords: keywordsOf(segments),
      },
      ...(ready ? { statistics: speakingStatistics(segments, row.duration_ms) } : {}),
    });
    if (redactions.length) {
      // What the sandbox was told to say is what was said.
      await patchRecording(t.tx, t.companyId, row.id, {
        speech: null,
        ...(silencedSound?.peaks ? { peaks: silencedSound.peaks } : {}),
      });
      if (silencedSound) {
        // The original goes; the file keeps its id, so that whoever shows it shows the quiet one.
        const old = silencedSound.bytes
          ? await t.files.replace(
              t.tx,
              t.companyId,
              silencedSound.fileId,
              silencedSound.bytes,
              t.now,
            )
          : (await t.files.markDeleted(t.tx, t.companyId, silencedSound.fileId, t.now),
            silencedSound.key);
        if (!silencedSound.bytes)
          await patchRecording(t.tx, t.companyId, row.id, {
            state: 'redacted',
            file_id: null,
            peaks: [],
            deleted_at: t.now,
          });
        await t.enqueue('calls.eraseBytes', { key: old });
      }
      await addHistory(t.tx, t.companyId, row.call_id, [
        {
          kind: 'history',
          at: t.now,
          code: null,
          label: 'Recording redacted',
          leg: null,
          target: null,
          detail: `${[...new Set(redactions.map((r) => kindNames[r.kind]))].join(', ')} removed from the transcript and the audio.`,
          actor: t.actor.name,
          node: null,
          matched: null,
        },
      ]);
    }
    const voicemail = await voicemailOfRecording(t.tx, t.companyId, row.id);
    await t.publish(
      contract.transcriptionReady,
      {
        callId: call.id,
        numberId: call.number_id,
        voicemailId: voicemail?.id ?? null,
        state: result.state,
        text,
      },
      { numberId: call.number_id },
    );
  });
}

const kindNames: Record<RedactionKind, string> = {
  card: 'Card numbers',
  ssn: 'Social security numbers',
  dob: 'Dates of birth',
};
/** Settings: `redact_card_numbers` is on unless turned off (decisions A20); `redact_ssn` and `redact_dob` when turned on. */
export function redactionKinds(settings: unknown): RedactionKind[] {
  const { redact_card_numbers, redact_ssn, redact_dob } = companySettingsOf(settings);
  return [
    ...(redact_card_numbers ? ['card' as const] : []),
    ...(redact_ssn ? ['ssn' as const] : []),
    ...(redact_dob ? ['dob' as const] : []),
  ];
}

/** The recording with the spans silent; `bytes` null: a sound we cannot open, which then may not be kept at all. */
async function silenceRecording(
  ctx: Ctx,
  row: RecordingRow,
  redactions: readonly Redaction[],
): Promise<{ fileId: number; key: string; bytes: Buffer | null; peaks?: number[][] } | null> {
  const file = row.file_id
    ? await ctx.transaction((t) => fileOf(t.tx, t.companyId, row.file_id!))
    : undefined;
  if (!file) return null;
  const bytes = silenceSpans(await ctx.files.blobs.get(file.key), redactions);
  const peaks =
    bytes &&
    readWav(bytes)?.channels.map((samples) => {
      const drawn = new WaveformPeaks();
      drawn.add(samples);
      return drawn.read();
    });
  return { fileId: file.id, key: file.key, bytes, ...(peaks ? { peaks } : {}) };
}
