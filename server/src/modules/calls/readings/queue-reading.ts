import { isFeatureOn } from '#contract/numbers/features/rules';
import { calls, type Body, type readings as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { numberRecord } from '../../numbers/index.ts';
import { readCallJob } from '../job-kinds.ts';
import { visibleCall } from '../records/store.ts';
import { readableSegments } from './prepare-call.ts';
import { presentReading } from './present.ts';
import { insertReading, latestReading, readableTranscript, type ReadingRow } from './store.ts';

/** Longer than a reading with its retries takes: what is older was lost. */
const STALE_MS = 2 * 3_600_000;

/**
 * Has the model read a call when its words are known, if its number asks for that. Nothing happens where
 * no model is connected or no word is sure.
 */
export async function queueReading(
  t: TxCtx,
  call: { id: number; number_id: number },
): Promise<void> {
  if (!t.gateways.languageModel) return;
  const number = await numberRecord(t.tx, t.companyId, call.number_id);
  if (!number?.ai_eav_enabled) return;
  if (!isFeatureOn((await companyRow(t.tx, t.companyId))?.settings, 'ai-eav')) return;
  await queue(t, call.id, false);
}

/** Queues a reading. Null: the call has no words that can be read. */
async function queue(t: TxCtx, callId: number, isDryRun: boolean): Promise<ReadingRow | null> {
  const model = t.gateways.languageModel;
  const transcript = await readableTranscript(t.tx, t.companyId, callId);
  if (!model || !transcript || readableSegments(transcript).length === 0) return null;
  const row = await insertReading(t.tx, {
    company_id: t.companyId,
    call_id: callId,
    transcription_id: transcript.id,
    state: 'queued',
    is_dry_run: isDryRun,
    engine: model.engine,
    is_simulated: model.isSimulated,
    requested_by: t.actor.userId || null,
    created_at: t.now,
  });
  await t.enqueue(readCallJob, { readingId: row.id });
  return row;
}

/**
 * Has the model read a call, again or for the first time. Fails with `not_found` when the person may not
 * see it, `reading.no_model`, `reading.no_words`, and `reading.running` while it is being read.
 */
export async function readCallNow(
  t: TxCtx,
  callId: number,
  { dry_run: isDryRun }: Body<typeof contract.readCall>,
) {
  const call = (await visibleCall(t.tx, t.companyId, callId, t.numbers)) ?? notFound();
  if (!t.gateways.languageModel) fail('reading.no_model');
  const before = await latestReading(t.tx, t.companyId, callId);
  if (before?.state === 'queued' && t.now.getTime() - before.created_at.getTime() < STALE_MS)
    fail('reading.running');
  const row = (await queue(t, callId, isDryRun)) ?? fail('reading.no_words');
  await t.publish(
    calls.callUpdated,
    { callId, numberId: call.number_id, changed: ['ai'] },
    { numberId: call.number_id },
  );
  return { data: presentReading(row) };
}
