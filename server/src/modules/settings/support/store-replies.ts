import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { StaffTicketRow, TicketRow } from './store.ts';

export type ReplyRow = Selectable<Tables['support_reply']>;

/** A person's own ticket, locked for its next reply; undefined: none of this ID is theirs. */
export const ownTicket = (
  tx: Tx,
  companyId: number,
  userId: number,
  id: number,
): Promise<TicketRow | undefined> =>
  tx
    .selectFrom('support_ticket')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/**
 * A ticket of any company, with the names of company and sender; undefined: none of this ID. Needs
 * the system role.
 */
export const anyTicket = async (db: Tx, id: number): Promise<StaffTicketRow | undefined> =>
  (
    await sql<StaffTicketRow>`select s.*, c.name company_name, p.email,
        trim(p.first_name || ' ' || p.last_name) person_name
      from support_ticket s join company c on c.id = s.company_id
        join person p on p.id = s.user_id
      where s.id = ${id}`.execute(db)
  ).rows[0];

/** The replies of a ticket, oldest first. */
export const repliesOf = (tx: Tx, companyId: number, ticketId: number): Promise<ReplyRow[]> =>
  tx
    .selectFrom('support_reply')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('ticket_id', '=', ticketId)
    .orderBy('id')
    .execute();

/** Stores a reply. */
export const insertReply = (tx: Tx, reply: Omit<ReplyRow, 'id'>): Promise<ReplyRow> =>
  tx.insertInto('support_reply').values(reply).returningAll().executeTakeFirstOrThrow();

/** Sets what changes of a ticket. */
export const updateTicket = (
  tx: Tx,
  companyId: number,
  id: number,
  change: Partial<Pick<TicketRow, 'status' | 'assignee_id'>> & Pick<TicketRow, 'changed_at'>,
): Promise<TicketRow> =>
  tx
    .updateTable('support_ticket')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
