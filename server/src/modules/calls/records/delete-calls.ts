import type { TxCtx } from '../../../platform/context.ts';
import { deleteMatches } from '../../tracking/index.ts';
import { eraseBytesJob } from '../job-kinds.ts';
import { callsBefore, callsOfParties, deleteCallRows, filesOfCalls } from './store-expired.ts';

/** Calls of one transaction, so that none is long. */
const BATCH = 200;

/**
 * Deletes some calls that began before this moment for good, with their recordings and transcripts.
 * Returns their IDs; fewer than a batch: none is left. What they count in reports goes with them.
 */
export async function deleteCallsBefore(
  t: TxCtx,
  before: Date,
): Promise<{ callIds: number[]; isMore: boolean }> {
  const callIds = await callsBefore(t.tx, t.companyId, before, BATCH);
  await deleteThese(t, callIds);
  return { callIds, isMore: callIds.length === BATCH };
}

/** Deletes some ended calls with these parties for good, with all that is theirs. */
export async function deleteCallsOf(
  t: TxCtx,
  parties: readonly string[],
): Promise<{ callIds: number[]; isMore: boolean }> {
  const callIds = await callsOfParties(t.tx, t.companyId, parties, BATCH);
  await deleteThese(t, callIds);
  return { callIds, isMore: callIds.length === BATCH };
}

async function deleteThese(t: TxCtx, callIds: readonly number[]): Promise<void> {
  if (callIds.length === 0) return;
  for (const { id, key } of await filesOfCalls(t.tx, t.companyId, callIds)) {
    await t.files.markDeleted(t.tx, t.companyId, id, t.now);
    await t.enqueue(eraseBytesJob, { key });
  }
  await deleteMatches(t.tx, t.companyId, 'call', callIds);
  await deleteCallRows(t.tx, t.companyId, callIds);
}
