import { calls as contract } from '#contract';
import { companySettingsOf } from '#contract/setting-rules';
import { Peaks } from '../../platform/audio/listen.ts';
import { readWav } from '../../platform/audio/wav.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Transcribed } from '../../ports/transcription.ts';
import { companyRow } from '../companies/index.ts';
import { keywordsOf } from './keywords.ts';
import { redact, type Kind, type Redaction } from './redaction/rules.ts';
import { silence } from './redaction/silence.ts';
import { speakingStatistics } from './rules.ts';
import { addHistory, callForChange } from './store.ts';
import {
  fileOf,
  patchRecording,
  patchTranscription,
  transcriptionForChange,
  voicemailOfRecording,
  type RecordingRow,
} from './store-audio.ts';
import { metadataOf } from './words-metadata.ts';

export type Settled = Transcribed | { state: 'failed'; engine: string; error: string };
const LANGUAGE = 'en-US';

/**
 * Words have come, from our engine or from a carrier: what must not be kept is taken out of them and silenced in the sound,
 * then they are stored and told. Words that are there already stay; the second time is boring.
 */
export async function settleWords(
  ctx: Ctx,
  transcriptionId: number,
  row: RecordingRow,
  said: Settled,
): Promise<void> {
  const ready = said.state === 'ready' ? said : null;
  const kinds = ready
    ? await ctx.transaction(async (t) => kindsOf((await companyRow(t.tx, t.companyId))?.settings))
    : [];
  const { segments, redactions } = ready
    ? redact(ready.segments, kinds)
    : { segments: [], redactions: [] };
  const text = redactions.length ? segments.map((s) => s.text).join('\n') : (ready?.text ?? '');
  const quiet = redactions.length ? await silenced(ctx, row, redactions) : null;
  await ctx.transaction(async (t) => {
    const words = await transcriptionForChange(t.tx, t.companyId, transcriptionId);
    if (!words || ['ready', 'redacted'].includes(words.state)) return;
    const call = (await callForChange(t.tx, t.companyId, row.call_id))!;
    await patchTranscription(t.tx, t.companyId, transcriptionId, {
      state: said.state,
      text,
      finished_at: t.now,
      ...(ready ? { raw: { engine: ready.engine, segments: segments.length } } : {}),
      metadata: {
        ...metadataOf(
          row,
          {
            engine: said.engine,
            model: ready?.model ?? null,
            language: ready?.language ?? LANGUAGE,
            confidence: ready?.confidence ?? null,
            segments,
            skipped_reason: said.state === 'skipped' ? said.reason : null,
            error: said.state === 'failed' ? said.error : null,
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
        ...(quiet?.peaks ? { peaks: quiet.peaks } : {}),
      });
      if (quiet) {
        // The original goes; the file keeps its id, so that whoever shows it shows the quiet one.
        const old = quiet.bytes
          ? await t.files.replace(t.tx, t.companyId, quiet.fileId, quiet.bytes, t.now)
          : (await t.files.forget(t.tx, t.companyId, quiet.fileId, t.now), quiet.key);
        if (!quiet.bytes)
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
          detail: `${[...new Set(redactions.map((r) => nameOf[r.kind]))].join(', ')} taken out of the words and the sound.`,
          actor: t.actor.name,
          node: null,
          matched: null,
        },
      ]);
    }
    const voicemail = await voicemailOfRecording(t.tx, t.companyId, row.id);
    await t.say(
      contract.transcriptionReady,
      {
        callId: call.id,
        numberId: call.number_id,
        voicemailId: voicemail?.id ?? null,
        state: said.state,
        text,
      },
      { numberId: call.number_id },
    );
  });
}

const nameOf: Record<Kind, string> = {
  card: 'Card numbers',
  ssn: 'Social security numbers',
  dob: 'Dates of birth',
};
/** Settings: `redact_card_numbers` is on unless turned off (decisions A20); `redact_ssn` and `redact_dob` when turned on. */
export function kindsOf(settings: unknown): Kind[] {
  const { redact_card_numbers, redact_ssn, redact_dob } = companySettingsOf(settings);
  return [
    ...(redact_card_numbers ? ['card' as const] : []),
    ...(redact_ssn ? ['ssn' as const] : []),
    ...(redact_dob ? ['dob' as const] : []),
  ];
}

/** The recording with the spans silent; `bytes` null: a sound we cannot open, which then may not be kept at all. */
async function silenced(
  ctx: Ctx,
  row: RecordingRow,
  redactions: readonly Redaction[],
): Promise<{ fileId: number; key: string; bytes: Buffer | null; peaks?: number[][] } | null> {
  const file = row.file_id
    ? await ctx.transaction((t) => fileOf(t.tx, t.companyId, row.file_id!))
    : undefined;
  if (!file) return null;
  const bytes = silence(await ctx.files.bytes.get(file.key), redactions);
  const peaks =
    bytes &&
    readWav(bytes)?.channels.map((samples) => {
      const drawn = new Peaks();
      drawn.hear(samples);
      return drawn.read();
    });
  return { fileId: file.id, key: file.key, bytes, ...(peaks ? { peaks } : {}) };
}
