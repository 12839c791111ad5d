import type pg from 'pg';

/**
 * Indexes that migrations want. `create index` holds every write to its table until it is built: nine
 * seconds with a million calls. So migrations write `create index concurrently`, which PostgreSQL does
 * outside of transactions only, while writes go on. It takes twice as long, and what isn't finished
 * leaves an index that slows writes and answers nothing. Where a table is small, as in a new
 * installation, the index is built in the migration's transaction all the same.
 *
 * An index of the same name is replaced: it serves until the new one is there.
 */

/** An index that an applied migration left. */
export interface IndexBuild {
  migration: string;
  /** As the migration writes it. */
  statement: string;
}

/** A table up to this size gets its indexes in the migration: it takes a fraction of a second. */
const smallBytes = 4 * 2 ** 20;

/** A whole statement, which begins its line: `index-builds.test.ts` refuses others. */
const statement = /^create (unique )?index concurrently (\w+)\s+on\s+([\w.]+)([^;]*);/m;

interface Wanted {
  unique: boolean;
  name: string;
  /** With the schema, where the statement names one. */
  table: string;
  /** Columns and what follows them. */
  rest: string;
}

/** What a statement wants; undefined: it isn't one that the runner takes out of a migration. */
export function readStatement(text: string): Wanted | undefined {
  const [, unique, name, table, rest] = statement.exec(text) ?? [];
  if (!name || !table) return undefined;
  return { unique: unique !== undefined, name, table, rest: rest ?? '' };
}

/** An index is in the schema of its table. */
const withSchema = (name: string, { table }: Wanted) =>
  table.includes('.') ? `${table.split('.')[0]}.${name}` : name;

const creation = (wanted: Wanted, how: '' | 'concurrently', name: string) =>
  `create ${wanted.unique ? 'unique ' : ''}index ${how} ${name} on ${wanted.table}${wanted.rest}`;

/**
 * Splits a migration into what its transaction runs, and the indexes of large tables, which are left
 * for after it.
 */
export async function leaveLargeIndexes(
  client: pg.Client,
  text: string,
): Promise<{ statements: string; left: string[] }> {
  const left: string[] = [];
  let statements = text;
  for (const [found] of text.matchAll(new RegExp(statement, 'gm'))) {
    const wanted = readStatement(found);
    if (!wanted) continue;
    // Without a table yet, the migration makes it.
    const { rows } = await client.query<{ large: boolean | null }>(
      'select pg_relation_size(to_regclass($1)) > $2 large',
      [wanted.table, smallBytes],
    );
    const now = `drop index if exists ${withSchema(wanted.name, wanted)};
      ${creation(wanted, '', wanted.name)};`;
    if (rows[0]?.large) left.push(found);
    statements = statements.replace(found, () => (rows[0]?.large ? '' : now));
  }
  return { statements, left };
}

/**
 * Builds an index that was left, beside the one that it replaces. One that an earlier attempt left
 * unfinished is dropped first.
 * @param patiently runs the exchange of the two in a transaction
 * @throws what PostgreSQL says, such as two rows that a unique index refuses; the next run tries again
 */
export async function buildIndex(
  client: pg.Client,
  build: IndexBuild,
  patiently: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const wanted = readStatement(build.statement);
  if (!wanted) throw new Error(`migration ${build.migration}: no index in ${build.statement}`);
  const name = withSchema(wanted.name, wanted);
  const unfinished = `${wanted.name}_new`;
  const inSchema = withSchema(unfinished, wanted);
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid valid from pg_index where indexrelid = to_regclass($1)',
    [inSchema],
  );
  const found = rows[0];
  if (found && !found.valid) await client.query(`drop index concurrently ${inSchema}`);
  if (!found?.valid) await client.query(creation(wanted, 'concurrently', unfinished));
  await patiently(async () => {
    await client.query(`drop index if exists ${name}`);
    await client.query(`alter index ${inSchema} rename to ${wanted.name}`);
    await client.query('update migration set unbuilt = array_remove(unbuilt, $2) where name = $1', [
      build.migration,
      build.statement,
    ]);
  });
}
