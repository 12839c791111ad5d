import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { ArchivedTable } from '../store-archive.ts';
import { loadedAfter, newSecrets, personColumns, setLater } from '../tables.ts';

// The system role: a company that isn't there yet, people and the directory of numbers.

/** Prepares the transaction: rows of the archive are held in a table of it before they get into theirs. */
export async function prepareImport(tx: Tx): Promise<void> {
  await sql`set local app.importing = 'on'`.execute(tx);
  await sql`set local timezone = 'UTC'`.execute(tx);
  await sql`create temporary table archive_row (
    of_table text not null, line jsonb not null, n bigint generated always as identity
  ) on commit drop`.execute(tx);
  await sql`create index on archive_row (of_table, n)`.execute(tx);
}

/** Holds lines of a table. */
export const holdLines = async (tx: Tx, table: string, lines: string[]): Promise<void> => {
  await sql`insert into archive_row (of_table, line)
    select ${table}, l::jsonb from unnest(${lines}::text[]) l`.execute(tx);
};

/** A held row that has other columns than the table, or another company; null: there is none. */
export async function strangeRow(
  tx: Tx,
  {
    table,
    columns,
    company,
  }: { table: string; columns: readonly string[]; company: string | null },
  companyId: number,
): Promise<'columns' | 'company' | null> {
  const names = [...columns];
  const { rows } = await sql<{ what: 'columns' | 'company' }>`
    select case when jsonb_typeof(line) <> 'object' or not line ?& ${names}::text[]
        or line - ${names}::text[] <> '{}' then 'columns' else 'company' end as what
    from archive_row where of_table = ${table}
      and (jsonb_typeof(line) <> 'object' or not line ?& ${names}::text[]
        or line - ${names}::text[] <> '{}'
        or (${company}::text is not null and line -> ${company} is distinct from to_jsonb(${companyId}::bigint)))
    limit 1`.execute(tx);
  return rows[0]?.what ?? null;
}

/** What stands in the way of the company: itself, or another of its web name; null: nothing. */
export const companyInTheWay = async (
  tx: Tx,
  { id, slug }: { id: number; slug: string },
): Promise<{ id: number; name: string } | null> =>
  (
    await sql<{ id: number; name: string }>`select id, name from company
      where id = ${id} or slug = ${slug} order by id = ${id} desc limit 1`.execute(tx)
  ).rows[0] ?? null;

/** The account that is left of one that was erased here (`operator-erasing`). */
const isErased = sql<boolean>`p.email_key = 'erased-' || p.id || '@account.invalid'`;

/** People of the archive whose account was erased here, as the archive has them. */
export const erasedPeople = async (
  tx: Tx,
): Promise<{ id: number; email: string; name: string }[]> =>
  (
    await sql<{ id: number; email: string; name: string }>`select p.id, a.line ->> 'email' as email,
        coalesce(nullif(trim(concat(a.line ->> 'first_name', ' ', a.line ->> 'last_name')), ''),
          a.line ->> 'email') as name
      from archive_row a join person p on p.id = (a.line ->> 'id')::bigint
      where a.of_table = 'person' and ${isErased}
        and lower(a.line ->> 'email') <> p.email_key order by p.id`.execute(tx)
  ).rows.map((row) => ({ ...row, id: Number(row.id) }));

/** People of the archive whose email or ID somebody else has here. */
export const peopleInTheWay = async (tx: Tx): Promise<{ email: string; byEmail: boolean }[]> =>
  // Each half finds its people by an index.
  (
    await sql<{ email: string; byEmail: boolean }>`with held as materialized (
        select line ->> 'email' as email, (line ->> 'id')::bigint as id
        from archive_row where of_table = 'person')
      select h.email, true as "byEmail" from held h
        join person p on p.email_key = lower(h.email) where p.id <> h.id
          and not exists (select from person p where p.id = h.id and ${isErased})
      union all
      select h.email, false from held h
        join person p on p.id = h.id where p.email_key is distinct from lower(h.email)
          and not ${isErased}
      order by 1, 2 desc limit 3`.execute(tx)
  ).rows;

/** A person's role in a company. Undefined: they have no place in it. */
export const roleIn = async (
  tx: Tx,
  companyId: number,
  personId: number,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('membership')
      .select('role')
      .where('company_id', '=', companyId)
      .where('user_id', '=', personId)
      .executeTakeFirst()
  )?.role;

/** IDs of the archive's people. */
export const heldPeople = async (tx: Tx): Promise<number[]> =>
  (
    await sql<{ id: number }>`select (line ->> 'id')::bigint as id from archive_row
      where of_table = 'person' order by 1`.execute(tx)
  ).rows.map(({ id }) => Number(id));

/** Numbers of the archive that another company has here. */
export const numbersInTheWay = async (tx: Tx): Promise<string[]> =>
  (
    await sql<{ number: string }>`select d.number from archive_row a
      join number_directory d on d.number = a.line ->> 'number'
      where a.of_table = 'number_directory' order by 1 limit 3`.execute(tx)
  ).rows.map(({ number }) => number);

/** Adds the people who have no account here yet. Who was disabled where the archive was written is here, too. */
export const insertPeople = async (tx: Tx): Promise<{ id: number; isDisabled: boolean }[]> => {
  const columns = sql.join(personColumns.map((column) => sql.ref(column)));
  const { rows } = await sql<{
    id: number;
    isDisabled: boolean;
  }>`insert into person (${columns})
    select ${sql.join(personColumns.map((column) => sql.ref(`r.${column}`)))}
    from archive_row a cross join lateral jsonb_populate_record(null::person, a.line) r
    where a.of_table = 'person' and not exists (select from person p where p.id = r.id)
    order by r.id returning id, disabled_at is not null as "isDisabled"`.execute(tx);
  return rows.map(({ id, isDisabled }) => ({ id: Number(id), isDisabled }));
};

/** Adds the company's numbers to the directory. */
export const insertDirectory = async (tx: Tx): Promise<void> => {
  await sql`insert into number_directory (number, company_id, number_id)
    select r.number, r.company_id, r.number_id from archive_row a
      cross join lateral jsonb_populate_record(null::number_directory, a.line) r
    where a.of_table = 'number_directory'`.execute(tx);
};

/** Moves a table's held rows into it. Rows that triggers made already stay when they are the same. */
export async function insertRows(tx: Tx, table: ArchivedTable): Promise<void> {
  const later = setLater[table.name] ?? [];
  const columns = table.columns.filter((column) => !later.includes(column));
  const made = Object.entries(newSecrets)
    .filter(([name]) => name.startsWith(`${table.name}.`))
    .map(([name, value]) => ({ column: name.slice(table.name.length + 1), value }));
  const targets = [...columns, ...made.map(({ column }) => column)];
  const values = [
    ...columns.map((column) => sql.ref(`r.${column}`)),
    ...made.map(({ value }) => sql.raw(value)),
  ];
  if (table.name === 'file') {
    targets.push('key');
    values.push(sql`coalesce(k.key, r.company_id || '/missing/' || r.id)`);
  }
  const keys = table.name === 'file' ? sql`left join file_bytes k on k.id = r.id` : sql``;
  await sql`insert into ${sql.table(table.name)} (${sql.join(targets.map((c) => sql.ref(c)))})
    select ${sql.join(values)} from archive_row a
      cross join lateral jsonb_populate_record(null::${sql.table(table.name)}, a.line) r ${keys}
    where a.of_table = ${table.name} order by a.n
    ${table.name === 'conversation_party' ? sql`on conflict do nothing` : sql``}`.execute(tx);
  // A company's creation brings groups, which the archive has.
  if (table.name === 'company')
    await sql`delete from contact_group g using archive_row a
    where a.of_table = 'company' and g.company_id = (a.line ->> 'id')::bigint`.execute(tx);
}

/** Sets rows to what the archive says, where triggers made something else of them. */
export async function setRowsAgain(tx: Tx, table: ArchivedTable, companyId: number): Promise<void> {
  const refs = (of: string) => sql.join(table.columns.map((column) => sql.ref(`${of}.${column}`)));
  await sql`update ${sql.table(table.name)} t set (${sql.join(table.columns.map((c) => sql.ref(c)))})
      = row(${refs('r')})
    from archive_row a
      cross join lateral jsonb_populate_record(null::${sql.table(table.name)}, a.line) r
    where a.of_table = ${table.name} and t.company_id = ${companyId} and t.id = r.id
      and row(${refs('t')}) is distinct from row(${refs('r')})`.execute(tx);
}

/** Notes under which key the bytes of files are stored here. */
export async function holdKeys(tx: Tx, keys: ReadonlyMap<number, string>): Promise<void> {
  await sql`create temporary table file_bytes (id bigint primary key, key text not null)
    on commit drop`.execute(tx);
  await sql`insert into file_bytes select * from unnest(${[...keys.keys()]}::bigint[],
    ${[...keys.values()]}::text[])`.execute(tx);
}

/** Days of the held page views, whose table has a part for each; the first `most`. */
export const heldHitDays = async (tx: Tx, most: number): Promise<Date[]> =>
  (
    await sql<{
      day: string;
    }>`select distinct to_char((line ->> 'at')::timestamptz at time zone 'UTC',
        'YYYY-MM-DD') as day
      from archive_row where of_table = 'tracking_hit' limit ${most}`.execute(tx)
  ).rows.map(({ day }) => new Date(day));

/** The files that the held rows describe. */
export const heldFiles = async (tx: Tx) =>
  (
    await sql<{ id: string; contentType: string; bytes: string; sha256: string }>`
      select line ->> 'id' as id, line ->> 'content_type' as "contentType",
        line ->> 'bytes' as bytes, line ->> 'sha256' as sha256
      from archive_row where of_table = 'file' order by n`.execute(tx)
  ).rows;

/** Campaigns that the company was about to send. */
export const countWaiting = async (tx: Tx, companyId: number): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from campaign where company_id = ${companyId}
      and deleted_at is null and state in ('pending', 'queued', 'sending')`.execute(tx)
  ).rows[0]?.n ?? 0;

/**
 * The tables in an order in which foreign keys find what they name.
 * @throws Error when tables name each other and `setLater` doesn't say which columns can wait
 */
export async function inOrder(tx: Tx, tables: readonly ArchivedTable[]): Promise<ArchivedTable[]> {
  const { rows } = await sql<{ child: string; parent: string; columns: string[] }>`
    select c.relname as child, p.relname as parent, array(select a.attname::text
      from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any(f.conkey)) as columns
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and c.relnamespace = 'public'::regnamespace
      and c.oid <> p.oid`.execute(tx);
  const needs = new Map(tables.map(({ name }) => [name, new Set(loadedAfter[name] ?? [])]));
  for (const { child, parent, columns } of rows)
    if (!columns.some((column) => setLater[child]?.includes(column)) && needs.has(parent))
      needs.get(child)?.add(parent);
  const ordered: ArchivedTable[] = [];
  const done = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name }) =>
        !done.has(name) && [...(needs.get(name) ?? [])].every((parent) => done.has(parent)),
    );
    if (!next.length) throw new Error('tables name each other: add one to setLater');
    for (const table of next) done.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}
