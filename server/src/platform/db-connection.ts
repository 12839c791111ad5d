import { createHash } from 'node:crypto';
import {
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type PostgresPoolClient,
  type RawBuilder,
} from 'kysely';
import pg from 'pg';
import { firstOf } from './must-be.ts';
import type { Tables } from './tables.ts';

pg.types.setTypeParser(20, Number); // int8: our ids stay below 2^53
pg.types.setTypeParser(1700, Number); // numeric: sums and averages of such
pg.types.setTypeParser(1082, String); // date: a calendar day; as a Date it would move with the machine's time zone
/** int8[], a type that the driver's own types do not list. */
const INT8_ARRAY = 1016 as 20;
pg.types.setTypeParser(INT8_ARRAY, (text) =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((one) => (one === 'NULL' ? null : Number(one))),
);

/** An open transaction. It reads whatever row-level security lets it see; stores write only their own tables. */
export type Tx = Kysely<Tables>;

/** A query builder whose connections come from `connect`. */
export const queryBuilder = (connect: () => Promise<PostgresPoolClient>): Tx =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver({ pool: { connect, end: async () => {} } }),
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

/** A query builder on one connection. Kysely releases it after each query; the caller does once, at the end. */
export const queryBuilderOn = (client: pg.PoolClient): Tx =>
  queryBuilder(async () => ({ query: withPreparedStatements(client), release: () => {} }));

/**
 * The row of a statement that always returns one: an aggregate without `group by`, an insert without
 * a condition. Throws if there is none.
 */
export const oneRow = async <T>(tx: Tx, statement: RawBuilder<T>): Promise<T> =>
  firstOf((await statement.execute(tx)).rows);

export const preparedMark = '/* prepared */ ';
/**
 * Put first into a statement that nearly every request sends: each connection plans it once and
 * keeps the plan, because planning costs more than the look-ups themselves. Only for statements whose
 * text is always the same, that name their columns (`*` would fail after a migration adds one), and
 * whose plan is right for any parameters.
 */
export const prepared = sql.raw(preparedMark);
const statementNames = new Map<string, string>();

/** The client's `query`, which prepares marked statements. */
export function withPreparedStatements(client: pg.PoolClient): PostgresPoolClient['query'] {
  const query = (text: unknown, values: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== 'string' || !text.startsWith(preparedMark))
      return client.query(text as string, values as unknown[]);
    let name = statementNames.get(text);
    if (!name)
      statementNames.set(text, (name = createHash('sha1').update(text).digest('base64url')));
    return client.query({ name, text, values: values as unknown[] });
  };
  return query as PostgresPoolClient['query'];
}

/** A response is awaited for this much longer than the database's own limit: then the database is stopped or frozen. */
const graceMs = 1000;

/** Whether `withQueryTimeout` gave up. */
export const isQueryTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * A connection whose statements are awaited for at most `ms`. One that left a statement unanswered
 * is closed when it is released: its response may still come, and would be taken for the next one's.
 */
export function withQueryTimeout(client: pg.PoolClient, ms: number): pg.PoolClient {
  let timedOut = false;
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof text === 'string' ? { text, ...(values ? { values } : {}) } : text;
    try {
      return await client.query({ ...config, query_timeout: ms + graceMs } as pg.QueryConfig);
    } catch (error) {
      if (isQueryTimeout(error)) timedOut = true;
      throw error;
    }
  };
  return Object.assign(Object.create(client) as pg.PoolClient, {
    query,
    release: (error?: Error | boolean) => client.release(timedOut || error),
  });
}
