import type { auditStreams as contract, Answer, Query } from '#contract';
import type { AuditEntryDetail } from '#contract/settings/audit/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { auditFilter, presentEntries } from '../audit/list-audit-log.ts';
import { entriesAfter, numberEntries, type NumberedRow } from './store.ts';

/** The log oldest first, after a cursor. */
export async function readAuditFeed(
  ctx: TxCtx,
  query: Query<typeof contract.readAuditFeed>,
): Promise<Answer<typeof contract.readAuditFeed>> {
  const { tx, companyId } = ctx;
  const after = Number(query.after ?? 0);
  const to = await numberEntries(tx, companyId, ctx.clock());
  const { limit } = query;
  const filter = auditFilter(ctx, {});
  const rows = await entriesAfter(tx, companyId, filter, { after, to, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  // At the end also past entries that this person can't see, so that they aren't looked at again.
  const next = hasMore ? (page.at(-1)?.seq ?? after) : Math.max(to, after);
  return {
    data: await presentDetails(ctx, page),
    meta: { next_cursor: String(next), has_more: hasMore },
  };
}

/** Entries with their values and origin, as receivers get them. */
export async function presentDetails(
  ctx: TxCtx,
  rows: readonly NumberedRow[],
): Promise<AuditEntryDetail[]> {
  const entries = await presentEntries(ctx, rows);
  return entries.flatMap((entry, at) => {
    const row = rows[at];
    if (!row) return [];
    const { before, after, user_agent, session_id, request_id } = row;
    return [{ ...entry, before, after, user_agent, session_id, request_id }];
  });
}
