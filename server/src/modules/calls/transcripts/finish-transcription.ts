import { calls as contract } from '#contract';
import { companySettingsOf } from '#contract/settings/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { TranscriptionResult } from '../../../gateways/transcription.ts';
import { peaksOf } from '../recordings/peaks.ts';
import { companyRow } from '../../companies/index.ts';
import { keywordsOf } from './keywords.ts';
import { redact, type RedactionKind, type Redaction } from '../redaction/rules.ts';
import { silenceSpans } from '../redaction/silence-spans.ts';
import { addHistory } from '../records/store-history.ts';
import { lockExistingCall } from '../records/store.ts';
import { fileOf, patchRecording, type RecordingRow } from '../recordings/store.ts';
import { applyOutcomeRules } from '../outcome-rules/apply-rules.ts';
import { spotInTranscript } from '../phrases/spot-in-transcript.ts';
import { queueReading } from '../readings/queue-reading.ts';
import { statisticsOf } from './speaking-statistics.ts';
import { patchTranscription, lockTranscription } from './store.ts';
import { voicemailOfRecording } from '../voicemail/store.ts';
import { transcriptionMetadata } from './transcription-metadata.ts';
import { eraseBytesJob } from '../job-kinds.ts';

export type TranscriptionOutcome =
  | TranscriptionResult
  | { state: 'failed'; engine: string; error: string };
const LANGUAGE = 'en-US';

/**
 * Stores a transcription, from our engine or a carrier: redacts the text, silences the redacted
 * spans in the recording, publishes it. One that is ready or redacted already stays as it is, so
 * running this twice is harmless.
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
  const redacted: Redacted = ready
    ? redact(ready.segments, kinds)
    : { segments: [], redactions: [] };
  const { segments, redactions } = redacted;
  const text = redactions.length ? segments.map((s) => s.text).join('\n') : (ready?.text ?? '');
  const silenced = redactions.length ? await silenceRecording(ctx, row, redactions) : null;
  await ctx.transaction(async (t) => {
    const transcription = await lockTranscription(t.tx, t.companyId, transcriptionId);
    if (!transcription || ['ready', 'redacted'].includes(transcription.state)) return;
    const call = await lockExistingCall(t.tx, t.companyId, row.call_id);
    await patchTranscription(t.tx, t.companyId, transcriptionId, {
      state: result.state,
      text,
      finished_at: t.now,
      ...(ready ? { raw: { engine: ready.engine, segments: segments.length } } : {}),
      metadata: metadataOf(row, result, redacted, t.now),
      ...(ready ? { statistics: statisticsOf(row, segments) } : {}),
    });
    if (redactions.length) await storeRedaction(t, row, redactions, silenced);
    if (ready) {
      await spotInTranscript(t, {
        id: transcriptionId,
        call_id: call.id,
        called_at: call.started_at,
        kind: row.kind,
        engine: ready.engine,
        segments,
      });
      await applyOutcomeRules(t, call.id);
      await queueReading(t, call);
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

type Redacted = ReturnType<typeof redact>;

function metadataOf(
  row: RecordingRow,
  result: TranscriptionOutcome,
  { segments, redactions }: Redacted,
  now: Date,
) {
  const ready = result.state === 'ready' ? result : null;
  const transcript = {
    engine: result.engine,
    model: ready?.model ?? null,
    language: ready?.language ?? LANGUAGE,
    confidence: ready?.confidence ?? null,
    segments,
    skipped_reason: result.state === 'skipped' ? result.reason : null,
    error: result.state === 'failed' ? result.error : null,
  };
  return {
    ...transcriptionMetadata(row, transcript, now),
    redactions,
    keywords: keywordsOf(segments),
  };
}

/** Replaces the recording by its silenced copy and adds the redaction to the call's history. */
async function storeRedaction(
  t: TxCtx,
  row: RecordingRow,
  redactions: readonly Redaction[],
  silenced: SilencedRecording | null,
): Promise<void> {
  // The sandbox's speech text holds the same words.
  await patchRecording(t.tx, t.companyId, row.id, {
    speech: null,
    ...(silenced?.peaks ? { peaks: silenced.peaks } : {}),
  });
  if (silenced) await replaceRecordingFile(t, row, silenced);
  const kinds = [...new Set(redactions.map((one) => kindNames[one.kind]))].join(', ');
  await addHistory(t.tx, t.companyId, row.call_id, [
    {
      kind: 'history',
      at: t.now,
      code: null,
      label: 'Recording redacted',
      leg: null,
      target: null,
      detail: `${kinds} removed from the transcript and the audio.`,
      actor: t.actor.name,
      node: null,
      matched: null,
    },
  ]);
}

/** The file keeps its id, so links now play the silenced copy; the original bytes are erased. */
async function replaceRecordingFile(
  t: TxCtx,
  row: RecordingRow,
  { fileId, key, bytes }: SilencedRecording,
): Promise<void> {
  if (bytes) {
    const oldKey = await t.files.replace(t.tx, t.companyId, fileId, bytes, t.now);
    await t.enqueue(eraseBytesJob, { key: oldKey });
    return;
  }
  await t.files.markDeleted(t.tx, t.companyId, fileId, t.now);
  await patchRecording(t.tx, t.companyId, row.id, {
    state: 'redacted',
    file_id: null,
    peaks: [],
    deleted_at: t.now,
  });
  await t.enqueue(eraseBytesJob, { key });
}

const kindNames: Record<RedactionKind, string> = {
  card: 'Card numbers',
  ssn: 'Social security numbers',
  dob: 'Dates of birth',
};
/**
 * What to redact: `redact_card_numbers` is on by default (A20), `redact_ssn` and `redact_dob` off.
 */
function redactionKinds(settings: unknown): RedactionKind[] {
  const { redact_card_numbers, redact_ssn, redact_dob } = companySettingsOf(settings);
  return [
    ...(redact_card_numbers ? ['card' as const] : []),
    ...(redact_ssn ? ['ssn' as const] : []),
    ...(redact_dob ? ['dob' as const] : []),
  ];
}

/** `bytes` null: the recording cannot be decoded, so it must not be kept at all. */
interface SilencedRecording {
  fileId: number;
  key: string;
  bytes: Buffer | null;
  peaks?: number[][];
}

/** The recording with the redacted spans silenced; null: it has no file. */
async function silenceRecording(
  ctx: Ctx,
  row: RecordingRow,
  redactions: readonly Redaction[],
): Promise<SilencedRecording | null> {
  const { file_id: fileId } = row;
  if (!fileId) return null;
  const file = await ctx.transaction((t) => fileOf(t.tx, t.companyId, fileId));
  if (!file) return null;
  const bytes = silenceSpans(await ctx.files.blobs.get(file.key), redactions);
  const peaks = bytes && peaksOf(bytes);
  return { fileId: file.id, key: file.key, bytes, ...(peaks?.length ? { peaks } : {}) };
}
