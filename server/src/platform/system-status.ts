import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import type { Db } from './db.ts';

/** How each kind of job stands, by name. */
export const jobStatus = async (ctx: Pick<Ctx, 'db'>) =>
  (
    await sql<{
      job: string;
      waiting: number;
      running: number;
      failed: number;
      oldest_due_at: Date | null;
      last_error: string | null;
    }>`select * from job_queue_status()`.execute(ctx.db.unscoped)
  ).rows.map((row) => ({
    ...row,
    oldest_due_at: row.oldest_due_at && row.oldest_due_at.toISOString(),
    last_error: row.last_error && row.last_error.slice(0, 500),
  }));

/** How the account at each carrier stands, by its name. */
export const carrierStates = async (ctx: Pick<Ctx, 'db'>): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await sql<{ carrier: string; state: string }>`select carrier, state
        from carrier_account`.execute(ctx.db.unscoped)
    ).rows.map((row) => [row.carrier, row.state]),
  );

/** Runs jobs that failed for good again; returns how many. */
export const retryFailed = async (ctx: Ctx, job: string): Promise<number> =>
  (await sql<{ n: number }>`select retry_failed_jobs(${job}) n`.execute(ctx.db.unscoped)).rows[0]
    ?.n ?? 0;

/** Mail, events, files and the database in figures. */
export async function platformFigures(ctx: Ctx) {
  const { rows } = await sql<{
    unpublished: number;
    mail_waiting: number;
    mail_failed: number;
    files: number;
    file_bytes: number;
    database_bytes: number;
    database_version: string;
    migrations: number;
    last_migration: string;
    last_migration_at: Date;
  }>`select (select count(*)::int from outbox where seq is null) unpublished,
      (select count(*)::int from mail_outbox where sent_at is null and failed_at is null)
        mail_waiting,
      (select count(*)::int from mail_outbox where failed_at is not null) mail_failed,
      (select count(*)::int from file where deleted_at is null) files,
      (select coalesce(sum(bytes), 0)::float8 from file where deleted_at is null) file_bytes,
      pg_database_size(current_database())::float8 database_bytes,
      current_setting('server_version') database_version,
      (select count(*)::int from migration) migrations, m.name last_migration,
      m.at last_migration_at
    from (select name, at from migration order by at desc, name desc limit 1) m`.execute(
    ctx.db.unscoped,
  );
  const { rows: processes } = await sql<{ process: string; connections: number }>`
    select split_part(application_name, ' ', 1) process, count(*)::int connections
    from pg_stat_activity
    where datname = current_database() and application_name <> ''
    group by 1 order by 1`.execute(ctx.db.unscoped);
  return { figures: rows[0], processes };
}

/**
 * The last good backup, and the last attempt where that failed; null: none.
 * A copy that was compared and differed is a failure.
 */
export async function backupStatus(db: Db) {
  const { rows } = await sql<{
    name: string;
    place: string;
    at: Date;
    bytes: number;
    error: string | null;
    checked_at: Date | null;
  }>`select name, place, finished_at at, bytes::float8 bytes, coalesce(error, check_error) error,
      checked_at
    from backup_run
    where id in ((select id from backup_run order by finished_at desc limit 1),
      (select id from backup_run where error is null and check_error is null
        order by finished_at desc limit 1))
    order by finished_at desc`.execute(db.unscoped);
  const [last] = rows;
  return {
    good: rows.find(({ error }) => error === null) ?? null,
    failed: last && last.error !== null ? { at: last.at, reason: last.error } : null,
  };
}

/**
 * How far the calls, texts, voicemails and faxes of companies are added up for reports, and what the
 * nightly recounts found.
 */
export async function callSumsStatus(db: Db) {
  const { rows } = await sql<{
    companies: number;
    counting: number;
    checked_at: Date | null;
    repaired_at: Date | null;
    repaired: number | null;
  }>`select count(distinct company_id)::int companies,
      (count(distinct company_id) filter (where counted_from > '-infinity'))::int counting,
      max(checked_at) checked_at, max(repaired_at) repaired_at,
      (array_agg(repaired order by repaired_at desc nulls last))[1] repaired
    from (
      select company_id, greatest(counted_from, more_counted_from) counted_from, checked_at,
        repaired_at, repaired from call_rollup_company
      union all
      select company_id, counted_from, checked_at, repaired_at, repaired from item_rollup_company
    ) sums`.execute(db.unscoped);
  const { companies = 0, counting = 0, checked_at, repaired_at, repaired } = rows[0] ?? {};
  return {
    companies,
    counting,
    checked_at: checked_at?.toISOString() ?? null,
    repaired: repaired_at ? { at: repaired_at.toISOString(), sums: repaired ?? 0 } : null,
  };
}

/** Space on the disk that files are stored on, in bytes; null where they are in S3. */
export async function diskSpace({
  settings,
}: Pick<Ctx, 'settings'>): Promise<{ free: number; total: number } | null> {
  if (settings.sharesFiles) return null;
  const disk = await statfs(settings.dataDir);
  return { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}
