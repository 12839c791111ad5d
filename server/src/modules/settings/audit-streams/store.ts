import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { auditCondition, type AuditDetailRow, type AuditFilter } from '../audit/store-audit.ts';

export type StreamRow = Selectable<Tables['audit_stream']>;
/** An entry with its number in the order of handing on. */
export type NumberedRow = AuditDetailRow & { seq: number };

/** Numbered at once: one statement of a request or job. */
const NUMBERED_AT_ONCE = 20_000;
/**
 * No transaction stays open for as long as this, in hours: an entry that was written this long before
 * everything had a number has one itself.
 */
const LONGEST_TRANSACTION_HOURS = 24;

/**
 * Numbers the company's committed entries that have no number yet. One transaction at a time does so
 * for a company and the others wait, so no number appears behind one that was read. Returns the last
 * number.
 */
export async function numberEntries(tx: Tx, companyId: number, now: Date): Promise<number> {
  await sql`insert into audit_numbering (company_id) values (${companyId})
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ last_seq: number }>`select last_seq from audit_numbering
    where company_id = ${companyId} for update`.execute(tx);
  const last = Number(rows[0]?.last_seq ?? 0);
  const { rows: added } = await sql<{ seq: number }>`
    with fresh as (
      select a.id, a.at from audit_log a
      where a.company_id = ${companyId}
        and a.at > coalesce((select complete_until from audit_numbering where company_id = ${companyId})
          - make_interval(hours => ${LONGEST_TRANSACTION_HOURS}), '-infinity')
        and not exists (select from audit_position p
          where p.company_id = ${companyId} and p.entry_id = a.id)
      order by a.at, a.id limit ${NUMBERED_AT_ONCE}
    )
    insert into audit_position (company_id, seq, entry_id)
    select ${companyId}, ${last}::bigint + row_number() over (order by at, id), id from fresh
    returning seq`.execute(tx);
  const newest = last + added.length;
  const isComplete = added.length < NUMBERED_AT_ONCE;
  await sql`update audit_numbering set last_seq = ${newest}
    ${isComplete ? sql`, complete_until = ${now}` : sql``}
    where company_id = ${companyId}`.execute(tx);
  return newest;
}

/** Numbered entries after a number that the filter lets through, in order. `to`: not beyond it. */
export const entriesAfter = async (
  tx: Tx,
  companyId: number,
  filter: AuditFilter,
  page: { after: number; to: number; limit: number },
): Promise<NumberedRow[]> =>
  (
    await sql<NumberedRow>`select p.seq, audit_log.*
      from audit_position p join audit_log
        on audit_log.company_id = p.company_id and audit_log.id = p.entry_id
      where p.company_id = ${companyId} and p.seq > ${page.after} and p.seq <= ${page.to}
        and ${auditCondition(companyId, filter)}
      order by p.seq limit ${page.limit}`.execute(tx)
  ).rows;

/** A company's streams, oldest first. */
export const streamsOf = (tx: Tx, companyId: number): Promise<StreamRow[]> =>
  tx
    .selectFrom('audit_stream')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** One stream, locked until the transaction ends. Undefined: none of this ID. */
export const lockStream = (tx: Tx, companyId: number, id: number): Promise<StreamRow | undefined> =>
  tx
    .selectFrom('audit_stream')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Stores a stream and returns it; throws when the database refuses it. */
export const insertStream = (tx: Tx, row: Insertable<Tables['audit_stream']>): Promise<StreamRow> =>
  tx.insertInto('audit_stream').values(row).returningAll().executeTakeFirstOrThrow();

/** Changes a stream and returns it; throws when there is none of this ID. */
export const patchStream = (
  tx: Tx,
  companyId: number,
  id: number,
  values: Updateable<Tables['audit_stream']>,
): Promise<StreamRow> =>
  tx
    .updateTable('audit_stream')
    .set(values)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Removes a stream; none of this ID is no error. */
export const deleteStream = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('audit_stream').where('company_id', '=', companyId).where('id', '=', id).execute();

/** How many entries a stream still has to send; at most `most` are counted. */
export const countWaiting = async (
  tx: Tx,
  companyId: number,
  after: number,
  most: number,
): Promise<number> =>
  (
    await sql<{ n: number }>`select (
        select count(*) from (select from audit_position p
          where p.company_id = ${companyId} and p.seq > ${after} limit ${most}) counted
      )::int n`.execute(tx)
  ).rows[0]?.n ?? 0;

/** Streams of all companies whose next try is due. */
export const dueStreams = (db: Tx, now: Date): Promise<Pick<StreamRow, 'company_id' | 'id'>[]> =>
  db
    .selectFrom('audit_stream')
    .select(['company_id', 'id'])
    .where('state', '=', 'active')
    .where('next_try_at', '<=', now)
    .execute();

/** Forgets the numbers of entries that are gone. Returns how many, at most `most`. */
export const deleteOldPositions = async (db: Tx, most: number): Promise<number> =>
  Number(
    (
      await sql`delete from audit_position where (company_id, seq) in (
        select company_id, seq from audit_position p where not exists (select from audit_log a
          where a.company_id = p.company_id and a.id = p.entry_id) limit ${most})`.execute(db)
    ).numAffectedRows ?? 0,
  );
