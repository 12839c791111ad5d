import type { TxCtx } from '../../../platform/context.ts';
import { eraseBytesJob } from '../../calls/index.ts';
import { deleteMatches } from '../../tracking/index.ts';
import { recomputeCounters } from '../recompute-counters.ts';
import {
  conversationsOf,
  deleteConversationRows,
  deleteFaxesOf,
  deleteItemsOf,
  markFilesDeleted,
} from './store.ts';

/** Items of one transaction, so that none is long. */
const BATCH = 500;

/**
 * Deletes what was written and faxed with these parties for good, some items at a time, then the
 * conversations. True: there may be more.
 */
export async function deleteConversationsOf(
  t: TxCtx,
  parties: readonly string[],
): Promise<boolean> {
  const ids = await conversationsOf(t.tx, t.companyId, parties);
  const items = await deleteItemsOf(t.tx, t.companyId, ids, BATCH);
  const texts = items.map(({ id }) => id);
  if (texts.length) await deleteMatches(t.tx, t.companyId, 'text', texts);
  if (ids.length) await recomputeCounters(t, ids);
  const isMore = items.length === BATCH;
  const faxes = isMore ? [] : await deleteFaxesOf(t.tx, t.companyId, parties);
  const files = [...items.flatMap((item) => item.files), ...faxes];
  const keys = files.length ? await markFilesDeleted(t.tx, t.companyId, files, t.now) : [];
  for (const key of keys) await t.enqueue(eraseBytesJob, { key });
  if (!isMore) await deleteConversationRows(t.tx, t.companyId, ids);
  return isMore;
}
