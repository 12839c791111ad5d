import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { createRoles } from '../../src/platform/roles.ts';

/**
 * What 0.1 left: its tables after 22 migrations, and the rows of its own demo, three companies with
 * 658 calls and 1,801 items of conversations. Sealed with the secret of the tests.
 */
const dump = join(import.meta.dirname, 'version-0.1.sql.br');

/** Its migrations, the last of which is what a release before it would not have. */
export const oldMigrations = 22;

/** Work with a connection of the database's owner, or of another URL. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Makes an empty database one of 0.1. Its recordings and pictures are small texts in their places. */
export async function loadOldDatabase(url: string, filesFolder: string): Promise<void> {
  await withClient(url, async (client) => {
    await createRoles(client);
    await client.query(brotliDecompressSync(readFileSync(dump)).toString());
  });
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string; key: string }>(
      'select id, key from file where deleted_at is null',
    );
    for (const { id, key } of rows) {
      const content = `what was in ${key}`;
      const path = join(filesFolder, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      await client.query('update file set sha256 = $1, bytes = $2 where id = $3', [
        createHash('sha256').update(content).digest('hex'),
        content.length,
        id,
      ]);
    }
  });
}

/** A column as the catalog has it: its type, and whether an insert must name it. */
interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  nullable: boolean;
}

/** Every column of the product's tables. */
export const columnsOf = (url: string): Promise<Column[]> =>
  withClient(
    url,
    async (client) =>
      (
        await client.query<Column>(
          `select c.oid::regclass::text as "table", a.attname as name,
            format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
            a.attnotnull and not a.atthasdef and a.attidentity = '' as required
          from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
            and c.relkind in ('r', 'p') and not c.relispartition
            and a.attnum > 0 and not a.attisdropped
          order by 1, a.attnum`,
        )
      ).rows,
  );

/**
 * Everything that makes up a schema, a line each: columns, constraints, indexes, functions, triggers,
 * policies and rights. The order of columns is left out: it depends on the way.
 */
export const catalogOf = (url: string): Promise<string[]> =>
  withClient(url, async (client) =>
    (
      await client.query<{ line: string }>(
        `with own as (
            select c.oid, c.oid::regclass::text as name, c.relkind, c.relrowsecurity,
              c.relforcerowsecurity, c.reloptions, c.relacl
            from pg_class c
            where c.relnamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
              and c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition)
          select concat_ws(' ', 'table', name, relkind, relrowsecurity, relforcerowsecurity,
            reloptions, (select string_agg(a::text, ',' order by a::text) from unnest(relacl) a))
            as line from own
          union all select concat_ws(' ', 'column', name, a.attname,
              format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
              pg_get_expr(d.adbin, d.adrelid), a.attacl::text)
            from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0
              and not a.attisdropped and own.relkind <> 'S'
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          union all select concat_ws(' ', 'constraint', name, conname, pg_get_constraintdef(k.oid))
            from own join pg_constraint k on k.conrelid = own.oid and k.contype <> 'n'
          union all select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid))
            from own join pg_index i on i.indrelid = own.oid
          union all select concat_ws(' ', 'trigger', name, pg_get_triggerdef(t.oid))
            from own join pg_trigger t on t.tgrelid = own.oid and not t.tgisinternal
          union all select concat_ws(' ', 'policy', name, p.polname, p.polcmd, p.polpermissive,
              array(select r::regrole::text from unnest(p.polroles) r order by 1),
              pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
            from own join pg_policy p on p.polrelid = own.oid
          union all select concat_ws(' ', 'function', pg_get_functiondef(f.oid), f.proowner::regrole,
              (select string_agg(a::text, ',' order by a::text) from unnest(f.proacl) a))
            from pg_proc f where f.pronamespace in ('public'::regnamespace, 'sandbox'::regnamespace)
              and f.prokind = 'f' and not exists (select from pg_depend e
                where e.objid = f.oid and e.deptype = 'e')
          order by 1`,
      )
    ).rows
      // A dump that was loaded writes other parentheses.
      .map(({ line }) => line.replaceAll(/[()]/g, ''))
      .sort(),
  );

/** Hashes of the rows of each table, in no order. */
type Rows = Map<string, string[]>;

/** Hashes all rows, looking at these columns. */
export const hashRows = (url: string, columns: readonly Column[]): Promise<Rows> =>
  withClient(url, async (client) => {
    const hashes: Rows = new Map();
    for (const table of new Set(columns.map((column) => column.table))) {
      const names = columns
        .filter((column) => column.table === table)
        .map(({ name }) => client.escapeIdentifier(name));
      const { rows } = await client.query<{ hash: string }>(
        `select md5(row(${names.join(', ')})::text) as hash from ${table}`,
      );
      hashes.set(
        table,
        rows.map(({ hash }) => hash),
      );
    }
    return hashes;
  });

/** By table, how many of the rows of before are there no more as they were. */
export function lostRows(before: Rows, after: Rows): Record<string, number> {
  const lost = [...before].map(([table, hashes]) => {
    const left = new Set(after.get(table));
    return [table, hashes.filter((hash) => !left.has(hash)).length] as const;
  });
  return Object.fromEntries(lost.filter(([, count]) => count > 0));
}
