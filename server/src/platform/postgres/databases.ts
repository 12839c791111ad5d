import { Client } from 'pg';
import { urlOf } from './cluster.ts';

/** A database that is there to be used. */
export interface OpenDatabase {
  /** Connection URL of a role that may create roles and tables. */
  url: string;
  /** True: PostgreSQL runs inside `dataDir` and ends with `stop`. */
  embedded: boolean;
  /** Major version and origin, as text for people. */
  description: string;
  /** Stores our address, so that a second start on the same directory can name it. */
  announce(address: string): void;
  stop(): Promise<void>;
}

/** Opens the database of the operator’s own at `url`. Throws what is wrong and what to do. */
export async function openExisting(url: string): Promise<OpenDatabase> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string }>(
      `select current_setting('server_version_num')::int as number,
        current_setting('server_version') as version`,
    );
    const { number = 0, version = '' } = rows[0] ?? {};
    if (number < 150_000) throw new Error(`it is PostgreSQL ${version}, and 15 or later is needed`);
    return {
      url,
      embedded: false,
      description: `PostgreSQL ${version} at DATABASE_URL`,
      announce() {},
      async stop() {},
    };
  } catch (error) {
    throw new Error(
      `DATABASE_URL can’t be used: ${connectionProblem(error)}. Check that the server is running and that the name and password are right, or leave out DATABASE_URL to have a database started here`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** What a connection failed with. Node gives a refused one to several addresses no message. */
export function connectionProblem(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(connectionProblem).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Creates a database unless it exists. */
export async function ensureDatabase(port: number, password: string, name: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(port, password, 'postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
