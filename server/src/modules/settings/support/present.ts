import type { Answer, support as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { filesByIds, type TicketRow } from './store.ts';

type Ticket = Answer<typeof contract.createSupportTicket>['data'];

/** Tickets with links to their files. */
export async function presentTickets(
  ctx: Ctx,
  db: Tx,
  rows: readonly TicketRow[],
): Promise<Ticket[]> {
  const files = await filesByIds(
    db,
    rows.flatMap((r) => r.file_ids.map(Number)),
  );
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    status: row.status as Ticket['status'],
    message: row.message,
    callback_number: row.callback_number,
    callback_requested: row.callback_requested,
    attachments: row.file_ids.map(Number).flatMap((id) => {
      const file = files.get(id);
      const url = ctx.files.signUrl(row.company_id, id, ctx.now);
      return file ? [{ id, name: file.name, bytes: Number(file.bytes), url }] : [];
    }),
    created_at: row.created_at.toISOString(),
  }));
}
