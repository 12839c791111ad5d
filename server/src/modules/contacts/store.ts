import { sql, type Selectable, type Updateable } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export const owns = ['contact', 'contact_number', 'contact_activity'] as const;
export type ContactRow = Selectable<Tables['contact']>;

/** All columns by name, for statements that are planned once a connection. */
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
] as const satisfies readonly (keyof ContactRow)[];
const columnsOf = (table: string) =>
  sql.raw(columns.map((column) => `${table}.${column}`).join(', '));

const livingContacts = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);

export const contactById = (tx: Tx, companyId: number, id: number) =>
  livingContacts(tx, companyId).where('id', '=', id).executeTakeFirst();
/** To change it: whoever else would waits. */
export const lockContact = (tx: Tx, companyId: number, id: number) =>
  livingContacts(tx, companyId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
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
 * The living contacts of these numbers, also of those that came with a merge, by the number asked for. Each number is looked up by
 * itself, whatever the planner knows: `limit 1` keeps it from joining whole tables, and the order, which only the index of numbers
 * has, from walking all of a company's contacts in another index. On a database without statistics it does both, for minutes.
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
      select k.* from contact k where k.company_id = ${companyId} and ${byNumber('k')} and k.deleted_at is null order by k.number limit 1) c
    union all
    select ${columnsOf('c')}, asked from ${asked} cross join lateral (
      select n.contact_id from contact_number n where n.company_id = ${companyId} and ${byNumber('n')} order by n.number limit 1) o
    cross join lateral (
      select k.* from contact k where k.company_id = ${companyId} and k.id >= o.contact_id and k.id <= o.contact_id and k.deleted_at is null order by k.id limit 1) c`.execute(
    tx,
  );
  return new Map(rows.map(({ asked: number, ...row }) => [number, row]));
}
export const contactsByNumber = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<ContactRow[]> => [
  ...new Map(
    [...(await contactsOfNumbers(tx, companyId, numbers)).values()].map((c) => [c.id, c]),
  ).values(),
];
/** Deleted or not. */
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
/** Numbers that came to these contacts by merging. */
export const mergedNumbers = async (tx: Tx, companyId: number, ids: readonly number[]) =>
  ids.length
    ? tx
        .selectFrom('contact_number')
        .select(['contact_id', 'number'])
        .where('company_id', '=', companyId)
        .where('contact_id', 'in', [...ids])
        .orderBy('number')
        .execute()
    : [];
/** All numbers a person is known by, the first one first. */
export const numbersOfContact = async (
  tx: Tx,
  companyId: number,
  contact: Pick<ContactRow, 'id' | 'number'>,
): Promise<string[]> => [
  contact.number,
  ...(await mergedNumbers(tx, companyId, [contact.id])).map((n) => n.number),
];
export const deleteMergedNumbers = (tx: Tx, companyId: number, numbers: readonly string[]) =>
  tx
    .deleteFrom('contact_number')
    .where('company_id', '=', companyId)
    .where('number', 'in', [...numbers])
    .execute();
export const upsertMergedNumbers = (
  tx: Tx,
  companyId: number,
  contactId: number,
  numbers: readonly string[],
  at: Date,
) =>
  numbers.length
    ? tx
        .insertInto('contact_number')
        .values(
          numbers.map((number) => ({
            company_id: companyId,
            number,
            contact_id: contactId,
            created_at: at,
          })),
        )
        .onConflict((c) =>
          c.columns(['company_id', 'number']).doUpdateSet({ contact_id: contactId }),
        )
        .execute()
    : Promise.resolve([]);

/** Deleting and restoring: those that were not so before, in the order of their ids. */
export const markDeleted = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  at: Date,
  by: number | null,
): Promise<{ id: number; number: string }[]> =>
  (
    await sql<{
      id: number;
      number: string;
    }>`update contact set deleted_at = ${at}, deleted_by = ${by} where company_id = ${companyId} and id in (select id from contact where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and deleted_at is null order by id for update) returning id, number`.execute(
      tx,
    )
  ).rows;
/** Those whose number nobody has meanwhile. */
export const markRestored = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<{ id: number; number: string }[]> =>
  (
    await sql<{
      id: number;
      number: string;
    }>`update contact c set deleted_at = null, deleted_by = null where c.company_id = ${companyId} and c.id in (
      select distinct on (d.number) d.id from contact d where d.company_id = ${companyId} and d.id = any(${[...ids]}::bigint[]) and d.deleted_at is not null
        and not exists (select from contact o where o.company_id = d.company_id and o.number = d.number and o.deleted_at is null)
        and not exists (select from contact_number n where n.company_id = d.company_id and n.number = d.number)
        and not exists (select from contact_merge m where m.company_id = d.company_id and m.source_id = d.id and m.undone_at is null)
      order by d.number, d.id desc) returning c.id, c.number`.execute(tx)
  ).rows;
export const purgeDeleted = async (
  tx: Tx,
  companyId: number,
  before: Date,
  limit: number,
): Promise<number[]> =>
  (
    await sql<{
      id: number;
    }>`delete from contact where company_id = ${companyId} and id in (select id from contact where company_id = ${companyId} and deleted_at < ${before} limit ${limit}) returning id`.execute(
      tx,
    )
  ).rows.map((r) => r.id);
export const companiesWithTrash = async (tx: Tx, before: Date): Promise<number[]> =>
  (
    await sql<{
      company_id: number;
    }>`select distinct company_id from contact where deleted_at < ${before}`.execute(tx)
  ).rows.map((r) => r.company_id);

/** What is known by number. Answers how often the carrier could not deliver, and whether it is the first sign of life within a day. */
export const recordTrace = async (
  tx: Tx,
  companyId: number,
  number: string,
  trace: { calledAt?: Date; textedAt?: Date; undeliverable?: 1 | 0 },
): Promise<{ times: number; fresh: boolean }> =>
  (
    await sql<{
      times: number;
      fresh: boolean;
    }>`with was as (select last_called_at, last_texted_at from contact_activity where company_id = ${companyId} and number = ${number})
    insert into contact_activity as t (company_id, number, last_called_at, last_texted_at, undeliverable) values (${companyId}, ${number}, ${trace.calledAt ?? null}, ${trace.textedAt ?? null}, ${trace.undeliverable ?? 0})
    on conflict (company_id, number) do update set last_called_at = greatest(t.last_called_at, excluded.last_called_at), last_texted_at = greatest(t.last_texted_at, excluded.last_texted_at),
      undeliverable = case when ${trace.textedAt !== undefined} then 0 else t.undeliverable + excluded.undeliverable end
    returning undeliverable times, coalesce((select case when ${trace.calledAt !== undefined} then was.last_called_at else was.last_texted_at end from was) < ${trace.calledAt ?? trace.textedAt ?? null}::timestamptz - interval '1 day', true) fresh`.execute(
      tx,
    )
  ).rows[0]!;
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

/** Make the contact unless the number has one; two at once make one. `undefined`: it was there. */
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

/** Make those that are missing, in the order of their numbers, so that two who do this at once never wait for each other in a circle. */
export const insertContacts = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
  source: string,
  at: Date,
): Promise<ContactRow[]> =>
  (
    await sql<ContactRow>`${prepared}insert into contact (company_id, number, source, created_at, updated_at) select ${companyId}, n, ${source}, ${at}, ${at} from unnest(${[...numbers].sort()}::text[]) n
    on conflict (company_id, number) where deleted_at is null do nothing returning ${columnsOf('contact')}`.execute(
      tx,
    )
  ).rows;

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

/** The contact that changed by it. `seq`: the place of what was heard; what was said before it and is heard after it changes nothing. */
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
    }>`with was as (select id, unsubscribed_at from contact where company_id = ${companyId} and number = ${number} and deleted_at is null and opt_out_seq < ${seq} for update),
    set_now as (update contact c set unsubscribed_at = ${at}, opt_out_seq = ${seq} from was where c.company_id = ${companyId} and c.id = was.id)
    select id from was where unsubscribed_at is distinct from ${at}::timestamptz`.execute(tx)
  ).rows[0]?.id;
/** The same for many, each with its own answer. */
export const markUnsubscribedMany = async (
  tx: Tx,
  companyId: number,
  rows: readonly { number: string; at: Date | null }[],
  seq: number,
): Promise<number> =>
  rows.length
    ? (
        await sql`update contact c set unsubscribed_at = r.at, opt_out_seq = ${seq} from (select * from unnest(${rows.map((r) => r.number)}::text[], ${rows.map((r) => r.at)}::timestamptz[]) x(number, at)) r
    where c.company_id = ${companyId} and c.number = r.number and c.deleted_at is null and c.opt_out_seq < ${seq} and c.unsubscribed_at is distinct from r.at returning c.id`.execute(
          tx,
        )
      ).rows.length
    : 0;
