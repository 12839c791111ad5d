import { sql } from 'kysely';
import type { Db } from '../db.ts';
import type { Settings } from '../settings.ts';
import { backupStatus } from '../system-status.ts';
import { needed, ok, problem, type Finding } from './finding.ts';

// The system role: the installation itself.

/** A daily backup is late by then, whenever in the day it is made. */
const backupHours = 36;
const clockSeconds = 2;
const replicaLagSeconds = 10;
/** A browser's clock is set by hand more often than a server's. */
const browserSeconds = 60;

/** Whether the read replica, if there is one, keeps up. */
async function replicaFindings(db: Db): Promise<Finding[]> {
  const lag = await db.replicaLag();
  if (lag === undefined) return [];
  if (lag === null)
    return [
      problem(
        'The read replica doesn’t answer, or replicates another database. Reports are read from the database itself.',
        'Check DATABASE_REPLICA_URL (docs/database.md).',
      ),
    ];
  return [
    lag < replicaLagSeconds
      ? ok('The read replica keeps up.')
      : problem(
          `The read replica is ${Math.round(lag)} seconds behind. Reports are read from the database itself.`,
          'See docs/runbooks.md.',
        ),
  ];
}

/** Settings of the server that keep data whole, room for connections, and the replica. */
export async function databaseFindings(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{
    version: string;
    number: number;
    fsync: string;
    pages: string;
    commit: string;
    encoding: string;
    most: number;
    used: number;
  }>`select current_setting('server_version') version,
      current_setting('server_version_num')::int number, current_setting('fsync') fsync,
      current_setting('full_page_writes') pages, current_setting('synchronous_commit') "commit",
      current_setting('server_encoding') encoding, current_setting('max_connections')::int most,
      (select count(*)::int from pg_stat_activity where datid is not null) used`.execute(
    db.unscoped,
  );
  const [found] = rows;
  if (!found) return [problem('The database told nothing about itself.', 'See its log.')];
  const { version, number, fsync, pages, commit, encoding, most, used } = found;
  return [
    number >= 150_000
      ? ok(`PostgreSQL ${version} answers.`)
      : problem(`PostgreSQL ${version} is too old.`, 'Upgrade it to 15 or later.'),
    ...(encoding === 'UTF8'
      ? []
      : [
          problem(
            `The database’s encoding is ${encoding}.`,
            'Create the database again, with UTF8.',
          ),
        ]),
    ...Object.entries({ fsync, full_page_writes: pages, synchronous_commit: commit })
      .filter(([, value]) => value === 'off')
      .map(([name]) =>
        problem(
          `${name} is off: a power cut can lose what was saved, or damage the database.`,
          `Set ${name} = on in postgresql.conf.`,
        ),
      ),
    used < most * 0.8
      ? ok(`${used} of ${most} connections are in use.`)
      : problem(
          `${used} of ${most} connections are in use.`,
          'Raise max_connections, or run fewer processes (docs/database.md).',
        ),
    ...(await archiveFindings(db)),
    ...(await replicaFindings(db)),
  ];
}

/** Whether an archive takes the database's log. While it doesn't, the log is kept and fills the disk. */
async function archiveFindings(db: Pick<Db, 'unscoped'>): Promise<Finding[]> {
  const { rows } = await sql<{ waiting: string | null; since: Date | null }>`
    select last_failed_wal waiting, last_archived_time since from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'
      and last_failed_time > coalesce(last_archived_time, '-infinity')`.execute(db.unscoped);
  return rows.map(({ waiting, since }) =>
    problem(
      `The archive has taken nothing of the database’s log ${since ? `since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'so far'}. The log is kept, and fills the disk (${waiting} is next).`,
      'Run archive_command by hand and see what it says. See docs/runbooks.md, “Disk full”.',
    ),
  );
}

/** Whether this machine's clock agrees with the database's and, if given, with a browser's. */
export async function clockFindings(
  db: Db,
  browserTime: Date | null = null,
  now: () => Date = () => new Date(),
): Promise<Finding[]> {
  const fix = 'Turn on time synchronization (timedatectl set-ntp true) on this machine.';
  const before = now().getTime();
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() at`.execute(db.unscoped);
  const between = (before + now().getTime()) / 2;
  const apart = rows[0] ? between - rows[0].at.getTime() : 0;
  const fromBrowser = browserTime ? before - browserTime.getTime() : 0;
  return [
    Math.abs(apart) <= clockSeconds * 1000
      ? ok('The clocks of this machine and of the database agree.')
      : problem(`This machine’s clock is ${awayBy(apart)} the database’s.`, fix),
    ...(browserTime === null
      ? []
      : [
          Math.abs(fromBrowser) <= browserSeconds * 1000
            ? ok('This machine’s clock agrees with your browser’s.')
            : problem(
                `This machine’s clock is ${awayBy(fromBrowser)} your browser’s.`,
                `${fix} If your computer’s clock is wrong, set that one.`,
              ),
        ]),
  ];
}

/** “5 seconds behind”, for a difference in milliseconds. */
function awayBy(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${amount} ${ms < 0 ? 'behind' : 'ahead of'}`;
}

/** The last good backup. */
export async function backupFindings(
  db: Db,
  { backup, production }: Pick<Settings, 'backup' | 'production'>,
  now: Date,
): Promise<Finding[]> {
  const { good, failed } = await backupStatus(db);
  const hours = good ? (now.getTime() - good.at.getTime()) / 3_600_000 : 0;
  return [
    backup.to
      ? ok(`A backup is made every day at ${backup.at} UTC, in ${backup.to}.`)
      : needed(
          production,
          'No backups are made.',
          'Set BACKUP_TO and BACKUP_PASSPHRASE (docs/backup.md), and restart.',
        ),
    ...(failed
      ? [problem(`The last backup failed: ${failed.reason}.`, 'See docs/runbooks.md.')]
      : []),
    good === null
      ? needed(production, 'There is no good backup yet.', 'Make one: npm run backup -- --check.')
      : hours <= backupHours
        ? ok(`The last good backup is ${Math.round(hours)} hours old.`)
        : problem(
            `The last good backup is ${Math.round(hours / 24)} days old.`,
            'See the log for why, or make one: npm run backup -- --check.',
          ),
  ];
}
