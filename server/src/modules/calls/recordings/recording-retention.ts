import { systemCtx, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { fileOf, expiredRecordings, patchRecording, lockRecording } from './store.ts';
import { redactTranscription } from '../transcripts/store.ts';
import { deleteHitsOfRecording } from '../phrases/store.ts';
import { deleteReadingsOfRecording } from '../readings/store.ts';
import { addHistory } from '../records/store-history.ts';
import { eraseBytesJob } from '../job-kinds.ts';

/** Erases a recording for good: bytes, waveform, transcription. The row stays, as `deleted`. */
export async function eraseRecording(
  t: TxCtx,
  recordingId: number,
  because: string,
): Promise<void> {
  const row = await lockRecording(t.tx, t.companyId, recordingId);
  if (!row || row.state === 'deleted') return;
  const file = row.file_id ? await fileOf(t.tx, t.companyId, row.file_id) : undefined;
  await patchRecording(t.tx, t.companyId, row.id, {
    state: 'deleted',
    deleted_at: t.now,
    peaks: [],
    voice: null,
    fetch_url: null,
    speech: null,
  });
  await redactTranscription(t.tx, t.companyId, row.id);
  await deleteHitsOfRecording(t.tx, t.companyId, row.id);
  await deleteReadingsOfRecording(t.tx, t.companyId, row.id);
  await addHistory(t.tx, t.companyId, row.call_id, [
    {
      kind: 'history',
      at: t.now,
      code: null,
      label: 'Recording deleted',
      leg: null,
      target: null,
      detail: because,
      actor: t.actor.name,
      actor_id: t.actor.userId || null,
      node: null,
      matched: null,
    },
  ]);
  if (!file) return;
  await t.files.markDeleted(t.tx, t.companyId, file.id, t.now);
  await t.enqueue(eraseBytesJob, { key: file.key });
}

/** Deletes the bytes of an erased file. */
export async function deleteBytes(ctx: Ctx, { key }: { key: string }): Promise<void> {
  await ctx.files.blobs.remove(key);
}

/** Hourly: erases recordings past their retention. */
export async function deleteExpiredRecordings(ctx: Ctx): Promise<void> {
  for (const { companyId, id } of await expiredRecordings(ctx.db, ctx.now)) {
    await systemCtx(
      { ...ctx, now: () => ctx.now },
      companyId,
      { markDirty: () => {}, notify: () => {} },
      ctx.requestId,
    ).transaction((t) =>
      eraseRecording(t, id, 'Deleted after the retention period set for the number.'),
    );
  }
}
