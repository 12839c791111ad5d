import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { foldedPattern } from '../../../platform/folded.ts';

export type TicketRow = Selectable<Tables['support_ticket']>;
/** A ticket with the names of its company and its author. */
export type StaffTicketRow = TicketRow & {
  company_name: string;
  person_name: string;
  email: string;
};

/** Stores a ticket. */
export const insertTicket = (
  tx: Tx,
  { file_ids, ...row }: Omit<TicketRow, 'id' | 'status' | 'assignee_id'>,
): Promise<TicketRow> =>
  tx
    .insertInto('support_ticket')
    .values({ ...row, file_ids: sql`${file_ids}::bigint[]` })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A page of one person's tickets, newest first. */
export async function ticketsOf(
  tx: Tx,
  companyId: number,
  userId: number,
  page: { limit: number; offset: number },
): Promise<{ rows: TicketRow[]; total: number }> {
  const own = tx
    .selectFrom('support_ticket')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId);
  const { n } = await own.select((e) => e.fn.countAll().as('n')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total: Number(n) };
}

/** A page of the tickets of all companies, newest first. Needs the system role. */
export async function allTickets(
  db: Tx,
  filter: {
    search?: string | undefined;
    status?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: StaffTicketRow[]; total: number }> {
  const like = filter.search ? foldedPattern(filter.search) : null;
  const from = sql`from support_ticket s join company c on c.id = s.company_id
    join person p on p.id = s.user_id
    where ${filter.status ? sql`s.status = ${filter.status}` : sql`true`} and ${
      like
        ? sql`(folded(s.reference) like ${like} or folded(s.message) like ${like}
            or folded(c.name) like ${like} or folded(p.email) like ${like})`
        : sql`true`
    }`;
  const { rows } = await sql<StaffTicketRow>`select s.*, c.name company_name, p.email,
      trim(p.first_name || ' ' || p.last_name) person_name
    ${from} order by s.id desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const total = await sql<{ n: number }>`select count(*)::int n ${from}`.execute(db);
  return { rows, total: total.rows[0]?.n ?? 0 };
}

/** Names and sizes of files by ID. The files belong to the platform; tickets only name them. */
export const filesByIds = async (db: Tx, ids: readonly number[]) =>
  new Map(
    (ids.length
      ? await db
          .selectFrom('file')
          .select(['id', 'name', 'bytes'])
          .where('id', 'in', [...ids])
          .execute()
      : []
    ).map((file) => [file.id, file]),
  );
