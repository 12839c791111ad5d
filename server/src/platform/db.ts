import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, PostgresDriver, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';
import type { Log } from './log.ts';

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
  close(): Promise<void>;
}

const dialect = (client: pg.PoolClient) => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver({ pool: { connect: async () => withoutRelease(client), end: async () => {} } }),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
// Kysely releases after each query; here the transaction owns the client, so releasing waits for its end.
const withoutRelease = (client: pg.PoolClient): PostgresPoolClient => ({ query: client.query.bind(client) as PostgresPoolClient['query'], release: () => {} });

/** Open the two pools. `role` is set at connection start, so not even a forgotten statement runs as the owner. */
export function openDb(url: string, log: Log, size = 10): Db {
  const pool = (role: string, max: number) => {
    const p = new pg.Pool({ connectionString: url, max, options: `-c role=${role}`, connectionTimeoutMillis: 2000, idleTimeoutMillis: 30_000, application_name: role });
    // Without both handlers a database stop crashes the process.
    p.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
    p.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'database connection lost')));
    return p;
  };
  const app = pool('trunkline_app', size);
  const system = pool('trunkline_system', Math.max(4, Math.ceil(size / 2)));

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
    directory: new Kysely<Tables>({ dialect: { ...dialect(null as unknown as pg.PoolClient), createDriver: () => new PostgresDriver({ pool: system }) } }),
    pool: system,
    close: async () => { await Promise.all([app.end(), system.end()]); },
  };
}
