import { sql, type Selectable, type Updateable } from 'kysely';
import { oneRow, prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type ContactRow = Selectable<Tables['contact']>;

/** All columns by name, for prepared statements. */
const columns = [
  'company_id',
  'id',
  'number',
  'name',
  'company_name',
  'title',
  'email',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'country',
  'notes',
  'optin_type',
  'optin_source',
  'alternative_names',
  'secondary_emails',
  'carrier',
  'gender',
  'age_range',
  'type',
  'source',
  'invalid',
  'unsubscribed_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'search',
  'deleted_by',
  'opt_out_seq',
  'name_from',
  'company_name_from',
] as const satisfies readonly (keyof ContactRow)[];
const columnsOf = (table: string) =>
  sql.raw(columns.map((column) => `${table}.${column}`).join(', '));

const livingContacts = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);

/** A contact. Undefined: none of this ID, or deleted. */
export const contactById = (tx: Tx, companyId: number, id: number) =>
  livingContacts(tx, companyId).where('id', '=', id).executeTakeFirst();
/** The contact, locked until the transaction ends. Undefined: none, or deleted. */
export const lockContact = (tx: Tx, companyId: number, id: number) =>
  livingContacts(tx, companyId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
/** Contacts in no order, without deleted ones. */
export const contactsByIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<ContactRow[]> =>
  ids.length
    ? livingContacts(tx, companyId)
        .where('id', 'in', [...ids])
        .execute()
    : Promise.resolve([]);
/**
 * Contacts by number, also by numbers they got from merges. Each number is looked up on its own,
 * whatever the statistics: `limit 1` prevents joins of whole tables, and the order, which only the index
 * of numbers has, prevents walks of another index. Without statistics the planner would do both.
 */
export async function contactsOfNumbers(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, ContactRow>> {
  if (!numbers.length) return new Map();
  const asked = sql`unnest(${[...new Set(numbers)]}::text[]) asked`;
  const byNumber = (table: 'k' | 'n') =>
    sql.raw(`${table}.number >= asked and ${table}.number <= asked`);
  const { rows } = await sql<ContactRow & { asked: string }>`${prepared}
    select ${columnsOf('c')}, asked from ${asked} cross join lateral (
      select k.* from contact k where k.company_id = ${companyId}
        and ${byNumber('k')} and k.deleted_at is null order by k.number limit 1) c
    union all
    select ${columnsOf('c')}, asked from ${asked} cross join lateral (
      select n.contact_id from contact_number n
        where n.company_id = ${companyId} and ${byNumber('n')} order by n.number limit 1) o
    cross join lateral (
      select k.* from contact k where k.company_id = ${companyId} and k.id >= o.contact_id
        and k.id <= o.contact_id and k.deleted_at is null order by k.id limit 1) c`.execute(tx);
  return new Map(rows.map(({ asked: number, ...row }) => [number, row]));
}
/** The contacts of these numbers (E.164), each once, merged numbers included. */
export const contactsByNumber = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<ContactRow[]> => [
  ...new Map(
    [...(await contactsOfNumbers(tx, companyId, numbers)).values()].map((c) => [c.id, c]),
  ).values(),
];
/** The contact, deleted or not. Undefined: none of this ID. */
export const contactByIdWithDeleted = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<ContactRow | undefined> =>
  tx
    .selectFrom('contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Records activity of a number. `times`: undeliverable texts in a row; `fresh`: the first activity
 * within a day.
 */
export const recordTrace = async (
  tx: Tx,
  companyId: number,
  number: string,
  trace: { calledAt?: Date; textedAt?: Date; undeliverable?: 1 | 0 },
): Promise<{ times: number; fresh: boolean }> =>
  oneRow(
    tx,
    sql<{
      times: number;
      fresh: boolean;
    }>`with was as (select last_called_at, last_texted_at
        from contact_activity where company_id = ${companyId} and number = ${number})
    insert into contact_activity as t (company_id, number, last_called_at,
        last_texted_at, undeliverable) values (${companyId}, ${number}, ${trace.calledAt ?? null},
        ${trace.textedAt ?? null}, ${trace.undeliverable ?? 0})
    on conflict (company_id, number) do update
      set last_called_at = greatest(t.last_called_at, excluded.last_called_at),
      last_texted_at = greatest(t.last_texted_at, excluded.last_texted_at),
      undeliverable = case when ${trace.textedAt !== undefined} then 0
          else t.undeliverable + excluded.undeliverable end
    returning undeliverable times, coalesce((select case
            when ${trace.calledAt !== undefined} then was.last_called_at else was.last_texted_at end
          from was) < ${trace.calledAt ?? trace.textedAt ?? null}::timestamptz - interval '1 day',
        true) fresh`,
  );
/**
 * Notes whether a number can receive texts, and returns its contact. Undefined: nothing changed.
 */
export const markInvalid = async (
  tx: Tx,
  companyId: number,
  number: string,
  invalid: boolean,
): Promise<ContactRow | undefined> =>
  tx
    .updateTable('contact')
    .set({ invalid })
    .where('company_id', '=', companyId)
    .where('number', '=', number)
    .where('deleted_at', 'is', null)
    .where('invalid', '=', !invalid)
    .returningAll()
    .executeTakeFirst();

/** Creates a contact; undefined: the number has one. */
export const insertContact = (
  tx: Tx,
  companyId: number,
  number: string,
  name: string,
  source: string,
  at: Date,
): Promise<ContactRow | undefined> =>
  tx
    .insertInto('contact')
    .values({ company_id: companyId, number, name, source, created_at: at, updated_at: at })
    .onConflict((c) =>
      c.columns(['company_id', 'number']).where('deleted_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/**
 * Creates missing contacts, in the order of their numbers, so that two at once don't deadlock.
 * Returns those created.
 */
export const insertContacts = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
  source: string,
  at: Date,
): Promise<ContactRow[]> =>
  (
    await sql<ContactRow>`${prepared}insert into contact (company_id, number, source,
        created_at, updated_at)
      select ${companyId}, n, ${source}, ${at}, ${at} from unnest(${[...numbers].sort()}::text[]) n
    on conflict (company_id, number)
      where deleted_at is null do nothing returning ${columnsOf('contact')}`.execute(tx)
  ).rows;

/** Changes columns of a contact and returns it. Fails when it doesn't exist. */
export const patchContact = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Updateable<Tables['contact']>,
  at: Date,
): Promise<ContactRow> =>
  tx
    .updateTable('contact')
    .set({ ...patch, updated_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Sets the opt-out of a number's contact; returns its ID if it changed. `seq` of the event: older
 * events that arrive late change nothing.
 */
export const markUnsubscribed = async (
  tx: Tx,
  companyId: number,
  number: string,
  at: Date | null,
  seq: number,
): Promise<number | undefined> =>
  (
    await sql<{
      id: number;
    }>`with was as (select id, unsubscribed_at from contact where company_id = ${companyId}
        and number = ${number} and deleted_at is null and opt_out_seq < ${seq} for update),
    set_now as (update contact c set unsubscribed_at = ${at}, opt_out_seq = ${seq}
        from was where c.company_id = ${companyId} and c.id = was.id)
    select id from was where unsubscribed_at is distinct from ${at}::timestamptz`.execute(tx)
  ).rows[0]?.id;
/** The same for many numbers; returns how many contacts changed. */
export const markUnsubscribedMany = async (
  tx: Tx,
  companyId: number,
  rows: readonly { number: string; at: Date | null }[],
  seq: number,
): Promise<number> =>
  rows.length
    ? (
        await sql`update contact c set unsubscribed_at = r.at, opt_out_seq = ${seq}
          from (select * from unnest(${rows.map((r) => r.number)}::text[],
              ${rows.map((r) => r.at)}::timestamptz[]) x(number, at)) r
    where c.company_id = ${companyId}
      and c.number = r.number and c.deleted_at is null and c.opt_out_seq < ${seq}
      and c.unsubscribed_at is distinct from r.at returning c.id`.execute(tx)
      ).rows.length
    : 0;
