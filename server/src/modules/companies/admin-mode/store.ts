import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

// All of it runs as the system role: it belongs to the platform, not to a company.

export type EntryRow = Selectable<Tables['admin_entry']>;

/** The staff session as it asks for admin mode. Undefined: ended. */
export const staffSession = async (db: Tx, sessionId: number) =>
  (
    await sql<{
      family: string;
      admin_mode: boolean;
      is_staff: boolean;
      mfa_enabled_at: Date | null;
      began_at: Date;
    }>`select s.family, s.admin_mode, p.is_staff, p.mfa_enabled_at,
        (select min(o.created_at) from session o where o.family = s.family) began_at
      from session s join person p on p.id = s.person_id
      where s.id = ${sessionId} and s.ended_at is null`.execute(db)
  ).rows[0];

/** The admin mode that a session is in. Undefined: none. */
export const runningEntry = async (
  db: Tx,
  sessionId: number,
  now: Date,
): Promise<EntryRow | undefined> =>
  db
    .selectFrom('admin_entry as e')
    .innerJoin('session as s', 's.family', 'e.family')
    .selectAll('e')
    .where('s.id', '=', sessionId)
    .where('e.left_at', 'is', null)
    .where('e.ends_at', '>', now)
    .orderBy('e.id', 'desc')
    .executeTakeFirst();

/** Records an entry; an earlier one of the session ends with it. */
export async function insertEntry(
  tx: Tx,
  entry: Pick<EntryRow, 'person_id' | 'family' | 'reason' | 'entered_at' | 'ends_at'>,
): Promise<EntryRow> {
  await tx
    .updateTable('admin_entry')
    .set({ left_at: entry.entered_at })
    .where('family', '=', entry.family)
    .where('left_at', 'is', null)
    .execute();
  return tx.insertInto('admin_entry').values(entry).returningAll().executeTakeFirstOrThrow();
}

/** Changes a running entry, and returns it. */
export const updateEntry = (
  tx: Tx,
  id: number,
  patch: { writes_at: Date } | { left_at: Date },
): Promise<EntryRow> =>
  tx
    .updateTable('admin_entry')
    .set(patch)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The companies that were opened in an entry. */
export const companiesOpenedIn = async (db: Tx, entryId: number): Promise<number[]> =>
  (
    await sql<{ company_id: number }>`select company_id from audit_log
      where action = 'admin.opened' and subject = ${`admin_entry:${entryId}`}`.execute(db)
  ).rows.map((row) => Number(row.company_id));

/** Staff who are in a company now, the latest first. */
export const staffIn = async (db: Tx, companyId: number, now: Date) =>
  (
    await sql<{
      name: string;
      reason: string;
      since: Date;
      until: Date;
      may_write: boolean;
    }>`select trim(p.first_name || ' ' || p.last_name) as name, l.reason, l.at since,
        e.ends_at until, e.writes_at is not null may_write
      from admin_entry e join person p on p.id = e.person_id
        join audit_log l on l.company_id = ${companyId} and l.subject = 'admin_entry:' || e.id
          and l.action = 'admin.opened'
      where e.left_at is null and e.ends_at > ${now} order by e.id desc`.execute(db)
  ).rows;

/** Whether a person has a role in a company that isn't deactivated. */
export const isMember = async (db: Tx, companyId: number, userId: number): Promise<boolean> =>
  Boolean(
    await db
      .selectFrom('membership')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .where('role', '<>', 'deactivated')
      .executeTakeFirst(),
  );

/** Stores a remote login by the hash of its token. */
export const insertRemoteLogin = (
  tx: Tx,
  row: Pick<
    Selectable<Tables['remote_login']>,
    'hash' | 'entry_id' | 'person_id' | 'in_company_id' | 'reason' | 'created_at' | 'expires_at'
  >,
) => tx.insertInto('remote_login').values(row).execute();

/** Uses a remote login up, with the staff member's name. Undefined: unknown, used or expired. */
export const useRemoteLogin = async (tx: Tx, hash: string, now: Date) =>
  (
    await sql<{
      id: number;
      person_id: number;
      company_id: number;
      ends_at: Date;
      staff: string;
    }>`update remote_login r set used_at = ${now}
      from admin_entry e join person p on p.id = e.person_id
      where r.hash = ${hash} and r.used_at is null and r.expires_at > ${now}
        and e.id = r.entry_id and e.left_at is null and e.ends_at > ${now}
      returning r.id, r.person_id, r.in_company_id company_id, e.ends_at,
        trim(p.first_name || ' ' || p.last_name) staff`.execute(tx)
  ).rows[0];
