/** A call's history: status changes, routing decisions, edits. */
import type { Tx } from '../../../platform/db.ts';

/** `history`: A9.1 `history[]`; `path`: a routing decision (A7.2). */
export interface HistoryRow {
  kind: 'history' | 'path';
  at: Date;
  code: number | null;
  label: string;
  leg: string | null;
  target: string | null;
  detail: string | null;
  actor: string | null;
  actor_id?: number | null;
  node: string | null;
  matched: boolean | null;
  before?: unknown;
  after?: unknown;
}
/** Adds entries to a call's history; undefined `before` and `after` become null. */
export async function addHistory(
  tx: Tx,
  companyId: number,
  callId: number,
  rows: readonly HistoryRow[],
): Promise<void> {
  if (!rows.length) return;
  await tx
    .insertInto('call_history')
    .values(
      rows.map((r) => ({
        ...r,
        company_id: companyId,
        call_id: callId,
        before: r.before === undefined ? null : JSON.stringify(r.before),
        after: r.after === undefined ? null : JSON.stringify(r.after),
      })),
    )
    .execute();
}
/** A call's history, oldest first. */
export const historyOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_history')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id')
    .execute();
