import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { preparedMark } from '../../src/platform/db-connection.ts';
import type { Tx } from '../../src/platform/db.ts';
import type { createTestApp } from './test-app.ts';

/**
 * Runs a store's queries and returns the plan of each statement, one string each, as seen by the
 * role that runs it, with the rows actually touched. A prepared one has two: for these parameters,
 * and for any. Plans are stable on a busy machine, timings
 * are not. `SHOW_PLANS=1` prints them. Every call is a short transaction of its own: one that stays
 * open would hold up the relays of every test that shares the database.
 */
export const explainQueries =
  (world: Pick<Awaited<ReturnType<typeof createTestApp>>, 'services'>, companyId: () => number) =>
  async (
    ask: (tx: Tx) => Promise<unknown>,
    as: 'application' | 'system' = 'application',
  ): Promise<string[]> => {
    const look = async (tx: Tx) => {
      const asked: CompiledQuery[] = [];
      // Bound to the original, because Kysely uses private fields.
      const real = (of: object, key: string | symbol) => {
        const value: unknown = Reflect.get(of, key, of);
        return typeof value === 'function'
          ? (value as (...a: unknown[]) => unknown).bind(of)
          : value;
      };
      const listening = (e: ReturnType<Tx['getExecutor']>) =>
        new Proxy(e, {
          get: (of, key) =>
            key === 'executeQuery'
              ? (q: CompiledQuery) => {
                  asked.push(q);
                  return of.executeQuery(q);
                }
              : real(of, key),
        });
      await ask(
        new Proxy(tx, {
          get: (of, key) =>
            key === 'getExecutor' ? () => listening(of.getExecutor()) : real(of, key),
        }),
      );
      const plans: string[] = [];
      for (const q of asked) {
        if (/savepoint/.test(q.sql)) continue;
        // Statements that change planner settings are run again, not explained.
        if (q.sql.includes('set_config')) {
          await tx.executeQuery(q);
          continue;
        }
        const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>({
          ...q,
          sql: `explain (analyze, costs off, timing off, buffers) ${q.sql}`,
        } as CompiledQuery<{ 'QUERY PLAN': string }>);
        const plan = rows.map((r) => r['QUERY PLAN']).join('\n');
        plans.push(q.sql.startsWith(preparedMark) ? `${plan}\n${await genericPlan(tx, q)}` : plan);
      }
      if (process.env['SHOW_PLANS']) console.log(plans.join('\n\n'));
      return plans;
    };
    return as === 'system'
      ? world.services.db.systemTransaction(look)
      : world.services.db.transaction({ companyId: companyId() }, look);
  };

let explained = 0;
/** The plan that a connection keeps for a prepared statement, which knows no parameters. */
async function genericPlan(tx: Tx, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const run = async (statement: string) =>
    (await tx.executeQuery<{ 'QUERY PLAN': string }>(CompiledQuery.raw(statement))).rows;
  await run(`set local plan_cache_mode = force_generic_plan`);
  // Each has a name: one whose statement failed stays with its connection.
  const name = `explained_${(explained += 1)}`;
  await run(`prepare ${name} as ${text.slice(preparedMark.length)}`);
  const values = parameters.length ? `(${parameters.map(literalOf).join(', ')})` : '';
  const rows = await run(
    `explain (analyze, costs off, timing off, buffers) execute ${name}${values}`,
  );
  await run(`deallocate ${name}`);
  await run('set local plan_cache_mode = auto');
  return rows.map((r) => r['QUERY PLAN']).join('\n');
}
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const items = value.map((one) => (one === null ? 'null' : JSON.stringify(textOf(one))));
    return pg.escapeLiteral(`{${items.join(',')}}`);
  }
  return pg.escapeLiteral(textOf(value));
}
const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

/** Only the owner may analyze tables. */
export async function analyzeAs(
  world: Pick<Awaited<ReturnType<typeof createTestApp>>, 'services'>,
  tables: readonly string[] = [],
): Promise<void> {
  const owner = new pg.Client({ connectionString: world.services.settings.databaseUrl! });
  await owner.connect();
  for (const table of tables.length ? tables : ['']) await owner.query(`vacuum analyze ${table}`);
  await owner.end();
}

/** The most rows that any sort in these plans received. */
export const maxSortedRows = (plans: readonly string[]): number =>
  Math.max(
    0,
    ...plans.flatMap((plan) =>
      [...plan.matchAll(/Sort \(actual rows=(\d+)/g)].map((m) => Number(m[1])),
    ),
  );
/** The most rows read by a sequential scan of these tables, filtered rows included. */
export function maxScannedRows(plans: readonly string[], table: RegExp): number {
  let most = 0;
  for (const lines of plans.map((p) => p.split('\n'))) {
    for (const [n, line] of lines.entries()) {
      const scan = /Seq Scan on (\w+).*actual rows=(\d+)/.exec(line);
      if (!scan || !table.test(scan[1]!)) continue;
      const depth = line.search(/\S/);
      let left = 0;
      for (
        let k = n + 1;
        k < lines.length && lines[k]!.search(/\S/) > depth && !lines[k]!.includes('->');
        k++
      )
        left += Number(/Rows Removed by Filter: (\d+)/.exec(lines[k]!)?.[1] ?? 0);
      most = Math.max(most, Number(scan[2]) + left);
    }
  }
  return most;
}

/**
 * The three states of statistics that plans must survive: a database never analyzed, one analyzed
 * before most rows came, and one with current statistics. Autovacuum is disabled for `tables`, so
 * that the state stays.
 */
export const statisticsVariants = [
  'never analysed',
  'analysed before the rows came',
  'analysed',
] as const;
export async function withoutAutovacuum(
  world: Pick<Awaited<ReturnType<typeof createTestApp>>, 'services'>,
  tables: readonly string[],
): Promise<void> {
  const owner = new pg.Client({ connectionString: world.services.settings.databaseUrl! });
  await owner.connect();
  for (const table of tables)
    await owner.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await owner.end();
}

/** The most rows any one scan of these tables read, by whatever method, filtered rows included. */
export function maxReturnedRows(plans: readonly string[], table: RegExp): number {
  let most = 0;
  for (const lines of plans.map((p) => p.split('\n'))) {
    for (const [n, line] of lines.entries()) {
      const scan =
        /(?:Scan|Scan Backward)(?: using \w+)? on (\w+).*\(actual rows=([\d.]+) loops=(\d+)\)/.exec(
          line,
        );
      if (!scan || !table.test(scan[1]!)) continue;
      const depth = line.search(/\S/);
      let left = 0;
      for (
        let k = n + 1;
        k < lines.length && lines[k]!.search(/\S/) > depth && !lines[k]!.includes('->');
        k++
      )
        left += Number(/Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(lines[k]!)?.[1] ?? 0);
      most = Math.max(most, Math.round((Number(scan[2]) + left) * Number(scan[3])));
    }
  }
  return most;
}
