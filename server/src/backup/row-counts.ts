import type pg from 'pg';
import { mustBe } from '../platform/must-be.ts';
import type { Manifest } from './manifest.ts';

/**
 * Rows of every table that says when its rows were created, counting those from before a time. When
 * that is long enough ago for every transaction of then to have ended, such a number only falls, by
 * deletions, so the one in a copy lies between those before and after it.
 * @param client of the owner; rows are counted as the system role, which sees all of them
 */
export async function countRows(
  client: pg.Client,
  before: Date,
): Promise<Readonly<Record<string, number>>> {
  const { rows: tables } = await client.query<{ name: string; quoted: string }>(
    `select c.relname as name, quote_ident(c.relname) as quoted
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'created_at' and not a.attisdropped
        and a.atttypid = 'timestamptz'::regtype
        and has_table_privilege('trunkline_system', c.oid, 'select')
      order by 1`,
  );
  return asSystem(client, async () => {
    const counts: Record<string, number> = {};
    for (const { name, quoted } of tables) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::float8 n from ${quoted} where created_at <= $1`,
        [before],
      );
      counts[name] = rows[0]?.n ?? 0;
    }
    return counts;
  });
}

/** Rows older than this are compared: what was being written when a backup began is left out. */
export const comparedBefore = (startedAt: Date) => new Date(startedAt.getTime() - 60_000);

/** What people ask first of a backup. */
export const countTotals = (client: pg.Client): Promise<Manifest['totals']> =>
  asSystem(client, async () => {
    const { rows } = await client.query<Manifest['totals']>(
      `select (select count(*)::float8 from company) companies, (select count(*)::float8 from call) calls,
        (select count(*)::float8 from conversation_item) "inboxItems"`,
    );
    return mustBe(rows[0], 'the totals');
  });

/** How many files the product has deleted since a time. */
export const countDeletedFiles = (client: pg.Client, since: Date): Promise<number> =>
  asSystem(client, async () => {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::float8 n from file where deleted_at >= $1',
      [since],
    );
    return rows[0]?.n ?? 0;
  });

/** The files that a database says are stored. */
export const storedFiles = (client: pg.Client) =>
  asSystem(
    client,
    async () =>
      (
        await client.query<{ key: string; sha256: string }>(
          'select key, sha256 from file where deleted_at is null',
        )
      ).rows,
  );

async function asSystem<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('set role trunkline_system');
  try {
    return await work();
  } finally {
    await client.query('reset role');
  }
}
