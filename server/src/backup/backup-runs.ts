import pg from 'pg';

/** A backup that was made, or could not be. */
export interface BackupRun {
  name: string;
  place: string;
  startedAt: Date;
  bytes: number;
  /** Why there is no backup; null: there is one. */
  error: string | null;
  /** Null: no copy of it was started. */
  checkedAt: Date | null;
  checkError: string | null;
}

/**
 * Stores how a backup went, for the status page and the metrics. A database that is backed up before
 * its upgrade may be older than the table, and then keeps nothing.
 */
export async function recordRun(url: string, run: BackupRun): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.backup_run') is not null as there`,
    );
    if (!rows[0]?.there) return;
    await client.query(
      `insert into backup_run (name, place, started_at, finished_at, bytes, error, checked_at, check_error)
        values ($1, $2, $3, now(), $4, $5, $6, $7)`,
      [
        ...[run.name, run.place, run.startedAt, run.bytes],
        ...[run.error, run.checkedAt, run.checkError],
      ],
    );
  });
}

/** When the last attempt began, good or not; null: there was none. */
export const lastAttemptAt = (url: string): Promise<Date | null> =>
  withClient(
    url,
    async (client) =>
      (await client.query<{ at: Date | null }>('select max(started_at) at from backup_run')).rows[0]
        ?.at ?? null,
  );

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('set role trunkline_system');
    return await work(client);
  } finally {
    await client.end();
  }
}
