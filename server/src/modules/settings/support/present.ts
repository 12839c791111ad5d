import type { Answer, support as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { personNames } from '../audit/store-audit.ts';
import type { ReplyRow } from './store-replies.ts';
import { filesByIds, type StaffTicketRow, type TicketRow } from './store.ts';

// The system role: staff see tickets of every company, and who of them looks after one.

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
    changed_at: row.changed_at.toISOString(),
  }));
}

type StaffTicket = Answer<typeof contract.listAllSupportTickets>['data'][number];

/** Tickets as platform staff see them. Needs the system role. */
export async function presentStaffTickets(
  ctx: Ctx,
  rows: readonly StaffTicketRow[],
): Promise<StaffTicket[]> {
  const shown = await presentTickets(ctx, ctx.db.unscoped, rows);
  const names = await personNames(
    ctx.db.unscoped,
    rows.flatMap(({ assignee_id }) => assignee_id ?? []),
  );
  return rows.map((row, i) => ({
    ...mustBe(shown[i], 'the presented ticket'),
    page_url: row.page_url,
    company: { id: row.company_id, name: row.company_name },
    user: { id: row.user_id, name: row.person_name || row.email, email: row.email },
    assignee:
      row.assignee_id === null
        ? null
        : { id: row.assignee_id, name: names.get(row.assignee_id) ?? '' },
  }));
}

/** A reply as its readers see it. */
export const presentReply = ({ id, by_staff, message, created_at }: ReplyRow) => ({
  id,
  by_staff,
  message,
  created_at: created_at.toISOString(),
});
