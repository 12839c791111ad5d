import type { Tx } from '../../../platform/db.ts';

interface HistoryInput {
  field_id: number;
  action: string;
  detail: string;
  before?: unknown;
  after?: unknown;
}
/** Adds an entry to a field's history. `before` and `after`: values, null where there was none. */
export const insertHistory = (
  tx: Tx,
  companyId: number,
  h: HistoryInput,
  actor: { id: number | null; name: string },
  at: Date,
) =>
  tx
    .insertInto('field_history')
    .values({
      company_id: companyId,
      field_id: h.field_id,
      at,
      actor_id: actor.id,
      actor_name: actor.name,
      action: h.action,
      detail: h.detail,
      before: h.before === undefined ? null : JSON.stringify(h.before),
      after: h.after === undefined ? null : JSON.stringify(h.after),
    })
    .execute();
/** A field's history, newest first; at most 200 entries. */
export const historyOf = (tx: Tx, companyId: number, fieldId: number) =>
  tx
    .selectFrom('field_history')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
