import { recordsExpired } from '#contract/conversations/events';
import { systemCtx, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { deleteCallsBefore, eraseBytesJob } from '../../calls/index.ts';
import { deleteMatches } from '../../tracking/index.ts';
import { recomputeCounters } from '../recompute-counters.ts';
import {
  companiesThatDelete,
  deleteEmptyConversations,
  deleteItemsOfCalls,
  deleteNotesOfCalls,
  deleteTextsBefore,
  markFilesDeleted,
} from './store.ts';

// The system role: goes through the companies that keep less than everything.

const BATCH = 500;
/** Transactions of one company and run; the rest waits for the next hour. */
const MOST = 400;

/**
 * Hourly: deletes texts and calls that are older than `message_retention_days` and
 * `call_retention_days` of their company, in short transactions.
 */
export async function deleteOldRecords(ctx: Ctx): Promise<void> {
  const companies = await companiesThatDelete(ctx.inBackground().db.unscoped);
  for (const { companyId, textDays, callDays } of companies) {
    const company = systemCtx(
      { ...ctx, now: () => ctx.now },
      companyId,
      { markDirty: () => {}, notify: () => {} },
      ctx.requestId,
    );
    const before = (days: number) => new Date(ctx.now.getTime() - days * 86_400_000);
    if (textDays > 0) await repeat(company, (t) => deleteTexts(t, before(textDays)));
    if (callDays > 0) await repeat(company, (t) => deleteCalls(t, before(callDays)));
  }
}

async function repeat(company: Ctx, deleteSome: (t: TxCtx) => Promise<boolean>): Promise<void> {
  for (let n = 0; n < MOST; n++) if (!(await company.transaction(deleteSome))) return;
}

/** Deletes some texts with their files. True: there may be more. */
async function deleteTexts(t: TxCtx, before: Date): Promise<boolean> {
  const gone = await deleteTextsBefore(t.tx, t.companyId, before, BATCH);
  if (gone.length === 0) return false;
  const files = gone.flatMap((item) => item.files);
  const keys = files.length ? await markFilesDeleted(t.tx, t.companyId, files, t.now) : [];
  for (const key of keys) await t.enqueue(eraseBytesJob, { key });
  await deleteMatches(
    t.tx,
    t.companyId,
    'text',
    gone.map(({ id }) => id),
  );
  await settle(t, gone);
  await t.publish(recordsExpired, { texts: gone.length, calls: 0 });
  return gone.length === BATCH;
}

/** Deletes some calls, and their entries in conversations. True: there may be more. */
async function deleteCalls(t: TxCtx, before: Date): Promise<boolean> {
  const { callIds, isMore } = await deleteCallsBefore(t, before);
  if (callIds.length === 0) return false;
  await deleteNotesOfCalls(t.tx, t.companyId, callIds);
  await settle(t, await deleteItemsOfCalls(t.tx, t.companyId, callIds));
  await t.publish(recordsExpired, { texts: 0, calls: callIds.length });
  return isMore;
}

/** Conversations in which something is left show their latest item; the others go. */
async function settle(t: TxCtx, gone: readonly { conversation_id: number }[]): Promise<void> {
  const ids = [...new Set(gone.map((item) => item.conversation_id))].toSorted((a, b) => a - b);
  if (ids.length === 0) return;
  await recomputeCounters(t, ids);
  await deleteEmptyConversations(t.tx, t.companyId, ids);
}
