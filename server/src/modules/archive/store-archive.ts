import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { leftOutColumn, leftOutRows, leftOutTables, personColumns } from './tables.ts';

/** A table of the archive. */
export interface ArchivedTable {
  name: string;
  /** Stored columns that are archived. */
  columns: string[];
  /** Stored columns that are not. */
  leftOut: string[];
  /** Columns that PostgreSQL computes from others, which an import can't set. */
  computed: string[];
  /** Primary key, in order; empty when the table has none. */
  key: string[];
  /** Columns that name a person by a foreign key. */
  people: string[];
}

/** Tables with `company_id` that an archive holds, by name; `company` first. */
export async function archivedTables(tx: Tx): Promise<ArchivedTable[]> {
  const { rows } = await sql<Omit<ArchivedTable, 'leftOut'>>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated <> '' order by a.attnum) as computed,
      array(select a.attname::text from pg_index i
        cross join unnest(i.indkey) with ordinality k(attnum, n)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.n) as key,
      array(select a.attname::text from pg_constraint f
        join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'person'::regclass) as people
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> 'number_directory'
      and (c.relname = 'company' or exists (select from pg_attribute a where a.attrelid = c.oid
        and a.attname = 'company_id' and not a.attisdropped))
    order by c.relname <> 'company', c.relname`.execute(tx);
  return rows
    .filter(({ name }) => !leftOutTables[name])
    .map((table) => ({
      ...table,
      columns: table.columns.filter((column) => leftOutColumn(table.name, column) === null),
      leftOut: table.columns.filter((column) => leftOutColumn(table.name, column) !== null),
    }));
}

const conditionOf = (table: string, companyId: number) => {
  const own = sql`t.${sql.ref(table === 'company' ? 'id' : 'company_id')} = ${sql.lit(companyId)}`;
  const keep = leftOutRows[table]?.keep;
  return keep ? sql`${own} and ${sql.raw(keep)}` : own;
};

/** Rows of a table that the archive will hold. */
export const countRows = async (tx: Tx, table: string, companyId: number): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int n from ${sql.table(table)} t
      where ${conditionOf(table, companyId)}`.execute(tx)
  ).rows[0]?.n ?? 0;

const FETCH_ROWS = 500;

/** The rows of a statement, a few hundred at a time, in one text column `line`. */
async function* fetchLines(tx: Tx, select: ReturnType<typeof sql>): AsyncGenerator<string[]> {
  await sql`declare archive_rows no scroll cursor for ${select}`.execute(tx);
  for (;;) {
    const { rows } = await sql<{
      line: string;
    }>`fetch ${sql.lit(FETCH_ROWS)} from archive_rows`.execute(tx);
    if (rows.length) yield rows.map(({ line }) => line);
    if (rows.length < FETCH_ROWS) break;
  }
  await sql`close archive_rows`.execute(tx);
}

/** A table's rows as JSON texts in the order of its key. PostgreSQL writes them, so that no number is rounded. */
export const tableLines = (
  tx: Tx,
  table: ArchivedTable,
  companyId: number,
): AsyncGenerator<string[]> =>
  fetchLines(
    tx,
    sql`select (to_jsonb(t) - ${sql.lit(`{${[...table.leftOut, ...table.computed].map((c) => `"${c}"`).join(',')}}`)}::text[])::text
        as line from ${sql.table(table.name)} t where ${conditionOf(table.name, companyId)}
      order by ${
        table.key.length
          ? sql.join(table.key.map((column) => sql`t.${sql.ref(column)}`))
          : sql`t.ctid`
      }`,
  );

/** Lists for spreadsheets: their columns, and a statement's source with the company's rows. */
export const spreadsheets: Readonly<Record<string, { columns: readonly string[]; from: string }>> =
  {
    contacts: {
      columns: ['name', 'number', 'email', 'company_name', 'title', 'city', 'state', 'id'],
      from: 'contact t where t.company_id = current_company() and t.deleted_at is null',
    },
    calls: {
      columns: [
        ...['started_at', 'direction', 'from_number', 'to_number', 'caller_name'],
        ...['duration_seconds', 'id'],
      ],
      from: `(select *, case when outbound then 'outbound' else 'inbound' end as direction
        from call) t where t.company_id = current_company()`,
    },
    messages: {
      columns: ['created_at', 'direction', 'number', 'party', 'text', 'delivery_state', 'id'],
      from: `(select i.*, n.number, c.party,
          case when i.is_inbound then 'inbound' else 'outbound' end as direction
        from conversation_item i
          join conversation c on c.company_id = i.company_id and c.id = i.conversation_id
          join number n on n.company_id = i.company_id and n.id = i.number_id
        where i.kind = 'message') t where t.company_id = current_company()`,
    },
    numbers: {
      columns: ['number', 'label', 'status', 'region', 'city', 'id'],
      from: 'number t where t.company_id = current_company()',
    },
    users: {
      columns: ['user_id', 'role', 'created_at', 'deactivated_at'],
      from: 'membership t where t.company_id = current_company()',
    },
  };

/** Rows of a list for spreadsheets, as JSON texts of arrays of text. */
export const spreadsheetLines = (
  tx: Tx,
  { columns, from }: { columns: readonly string[]; from: string },
): AsyncGenerator<string[]> =>
  fetchLines(
    tx,
    sql`select jsonb_build_array(${sql.join(columns.map((column) => sql`coalesce(t.${sql.ref(column)}::text, '')`))})::text
        as line from ${sql.raw(from)}`,
  );

/** Files of the company whose bytes belong into the archive, oldest first. */
export async function archivedFiles(
  tx: Tx,
  companyId: number,
): Promise<{ id: number; key: string; contentType: string }[]> {
  const { rows } = await sql<{
    id: number;
    key: string;
    contentType: string;
  }>`select t.id, t.key, t.content_type as "contentType" from file t
    where ${conditionOf('file', companyId)} order by t.id`.execute(tx);
  return rows;
}

/** IDs of everyone that the company's rows name by a foreign key. */
export async function referencedPeople(
  tx: Tx,
  tables: readonly ArchivedTable[],
  companyId: number,
): Promise<number[]> {
  const ids = new Set<number>();
  for (const { name, people } of tables)
    for (const column of people) {
      const { rows } = await sql<{ id: number }>`select distinct t.${sql.ref(column)} as id
        from ${sql.table(name)} t where t.company_id = ${companyId}
          and t.${sql.ref(column)} is not null`.execute(tx);
      for (const { id } of rows) ids.add(Number(id));
    }
  return [...ids].sort((a, b) => a - b);
}

/** These people, without anything that would let one sign in as them. */
export async function personLines(directory: Tx, ids: readonly number[]): Promise<string[]> {
  if (!ids.length) return [];
  const { rows } = await sql<{ line: string }>`select to_jsonb(t)::text as line
    from (select ${sql.join(personColumns.map((column) => sql.ref(column)))} from person
      where id = any(${[...ids]}::bigint[]) order by id) t`.execute(directory);
  return rows.map(({ line }) => line);
}

/** The directory's entries of the company's numbers. */
export async function directoryLines(directory: Tx, companyId: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`select to_jsonb(t)::text as line
    from number_directory t where company_id = ${companyId} order by number`.execute(directory);
  return rows.map(({ line }) => line);
}
