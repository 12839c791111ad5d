import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, PostgresDriver, sql, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';
import type { Log } from './log.ts';
import { letStandBack } from './precedence.ts';
import type { Logins } from './roles.ts';

pg.types.setTypeParser(20, Number); // int8: our ids stay below 2^53
pg.types.setTypeParser(1700, Number); // numeric: sums and averages of such
pg.types.setTypeParser(1082, String); // date: a day on a calendar; as a Date it would move with the machine's time zone
pg.types.setTypeParser(1016 as 20, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map((one) => (one === 'NULL' ? null : Number(one))))); // int8[], which the driver’s types do not list

/** An open transaction. Reads anything its row-level security lets it see; stores write only their own tables. */
export type Tx = Kysely<Tables>;
/** Whose transaction it is; row-level security reads these. */
export interface Scope { companyId?: number | null; userId?: number | null }

export interface Db {
  /** Run inside one transaction as the application's role, bound to one company by row-level security. */
  within<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Run inside one transaction as the system role: sessions, directories, relay. Never with input that names a company unchecked. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement as the system role, no transaction around it. */
  readonly directory: Tx;
  readonly pool: pg.Pool;
  /**
   * The same database for what nobody waits for (campaigns, their receipts): few connections of its own, so that it never takes a
   * person's, and processes of the database that stand back when a person's wants the processor.
   */
  readonly behind: Db;
  close(): Promise<void>;
}

const dialect = (client: pg.PoolClient) => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver({ pool: { connect: async () => withoutRelease(client), end: async () => {} } }),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
// Kysely releases after each query; here the transaction owns the client, so releasing waits for its end.
const withoutRelease = (client: pg.PoolClient): PostgresPoolClient => ({ query: preparing(client), release: () => {} });

const keepMark = '/* prepared */ ';
/**
 * Stands first in a statement that nearly every request asks: each connection plans it once and keeps the plan, because planning
 * costs more than the look-ups themselves. Only for statements whose text is always the same, that name their columns (`*` would
 * fail after a migration adds one), and whose plan is right for any parameters.
 */
export const prepared = sql.raw(keepMark);
const names = new Map<string, string>();
function preparing(client: pg.PoolClient): PostgresPoolClient['query'] {
  const query = (text: unknown, values: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== 'string' || !text.startsWith(keepMark)) return client.query(text as string, values as unknown[]);
    let name = names.get(text);
    if (!name) names.set(text, (name = createHash('sha1').update(text).digest('base64url')));
    return client.query({ name, text, values: values as unknown[] });
  };
  return query as PostgresPoolClient['query'];
}

/**
 * Open the two pools. `role` is set at connection start, so not even a forgotten statement runs as the owner.
 * @param waitMs how long work waits for a connection before it is refused; milliseconds
 * @param process who they belong to, for whoever looks at the database
 * @param logins of the two roles; null: both use that of `url`, which can become either
 */
export function openDb(url: string, log: Log, { size = 10, waitMs = 2000, process = '', logins = null }: { size?: number; waitMs?: number; process?: string; logins?: Logins | null } = {}): Db {
  const front = openPools(url, log, { app: size, system: Math.max(4, Math.ceil(size / 2)), name: process, waitMs, standsBack: false, logins });
  let behind: Db | null = null;
  const { within, system, directory, pool } = front;
  return {
    within, system, directory, pool,
    get behind() {
      if (!behind) { const pools = openPools(url, log, { app: 4, system: 3, name: `${process} behind`, waitMs: Math.max(waitMs, 10_000), standsBack: true, logins }); behind = { ...pools, get behind() { return behind!; } }; }
      return behind;
    },
    close: async () => { await Promise.all([front.close(), behind?.close()]); },
  };
}

function openPools(url: string, log: Log, o: { app: number; system: number; name: string; waitMs: number; standsBack: boolean; logins: Logins | null }): Omit<Db, 'behind'> {
  const pool = (role: keyof Logins, max: number) => {
    const p = new pg.Pool({ connectionString: o.logins?.[role] ?? url, max, options: `-c role=${role}`, connectionTimeoutMillis: o.waitMs, idleTimeoutMillis: 30_000, application_name: `${role} ${o.name}`.trim() });
    // Without both handlers a database stop crashes the process.
    p.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
    p.on('connect', (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
      if (o.standsBack) letStandBack(client);
    });
    return p;
  };
  const app = pool('trunkline_app', o.app);
  const system = pool('trunkline_system', o.system);

  const inTransaction = async <T>(from: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await from.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(new Kysely<Tables>({ dialect: dialect(client) }));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((e: Error) => { broken = e; });
      throw error;
    } finally {
      client.release(broken);
    }
  };
  const setting = (n: number | null | undefined) => (n ? String(Math.trunc(n)) : '');

  return {
    // BEGIN and the scope travel in one round trip; both values are integers, so nothing can be injected.
    within: (scope, work) => inTransaction(app, `begin; select set_config('app.company_id','${setting(scope.companyId)}',true), set_config('app.user_id','${setting(scope.userId)}',true)`, work),
    system: (work) => inTransaction(system, 'begin', work),
    directory: new Kysely<Tables>({ dialect: { ...dialect(null as unknown as pg.PoolClient), createDriver: () => new PostgresDriver({ pool: { connect: async () => { const client = await system.connect(); return { query: preparing(client), release: () => { client.release(); } }; }, end: async () => {} } }) } }),
    pool: system,
    close: async () => { await Promise.all([app.end(), system.end()]); },
  };
}
