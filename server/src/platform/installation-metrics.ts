import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Ctx } from './context.ts';
import { fillStates } from './background-fills.ts';
import { hasRoom, runningExchanges } from './exchanges.ts';
import { backupStatus, carrierStates, diskSpace, jobStatus } from './system-status.ts';

// Of the installation, whichever process is asked: read from the database with each request.

const gauge = (name: string, help: string, ...labelNames: string[]) =>
  new Gauge({ name, help, labelNames });

const jobsWaiting = gauge('jobs_waiting', 'Jobs that wait, due or not, by kind', 'kind');
const jobsFailed = gauge('jobs_failed', 'Jobs that failed for good in 30 days, by kind', 'kind');
const jobsLate = gauge('jobs_late_seconds', 'How long the oldest due job has waited');
const eventsWaiting = gauge('events_waiting', 'Events that are not published yet');
const emailsWaiting = gauge('emails_waiting', 'Emails that are not sent yet');
const emailsFailed = gauge('emails_failed', 'Emails of a week that were given up');
const carrierWorks = gauge('carrier_works', '1: its account works; 0: it doesn’t', 'carrier');
const diskFree = gauge(
  'disk_free_bytes',
  'Free on the disk of DATA_DIR; absent where files are in S3',
);
const lastGoodBackup = gauge(
  'backup_last_good_timestamp_seconds',
  'When the last good backup was made; 0: never',
);
const fillLeft = gauge(
  'background_fill_left',
  'Rows that an upgrade left to count in the background; 0: all are counted',
  'fill',
);

const replicaLag = gauge(
  'database_replica_lag_seconds',
  'By how much the read replica is behind; -1: it doesn’t answer or replicates another database; 0 where there is none',
);

const exchangeLoad = gauge(
  'exchange_load',
  'The part of a media process’s capacity for calls in use, 0 to 1',
  'exchange',
);
const exchangeCalls = gauge('exchange_calls', 'Calls at a media process', 'exchange');
const exchangeRoom = gauge(
  'exchange_room',
  'Calls with audio that all media processes together still take; those that drain take none',
);

/** Reads the figures of the installation, so that the text of the metrics has them. */
export async function readInstallation(ctx: Pick<Ctx, 'db' | 'settings' | 'now'>): Promise<void> {
  const [jobs, carriers, disk, { good }, waiting, fills, exchanges, lag] = await Promise.all([
    jobStatus(ctx),
    carrierStates(ctx),
    diskSpace(ctx),
    backupStatus(ctx.db),
    countWaiting(ctx),
    fillStates(ctx.db),
    runningExchanges(ctx.db),
    ctx.db.replicaLag(),
  ]);
  replicaLag.set(lag === undefined ? 0 : (lag ?? -1));
  for (const each of [jobsWaiting, jobsFailed, carrierWorks, exchangeLoad, exchangeCalls])
    each.reset();
  // By where it is reached: its id is new with each start.
  for (const { url: exchange, load, calls } of exchanges) {
    exchangeLoad.set({ exchange }, load);
    exchangeCalls.set({ exchange }, calls);
  }
  const room = exchanges.map((one) => (hasRoom(one) ? one.capacity * (1 - one.load) : 0));
  exchangeRoom.set(Math.floor(room.reduce((sum, one) => sum + one, 0)));
  // Not `job`: Prometheus calls what it asks by that name, and would rename ours.
  for (const { job: kind, waiting: n, failed } of jobs) {
    jobsWaiting.set({ kind }, n);
    jobsFailed.set({ kind }, failed);
  }
  const due = jobs.flatMap(({ oldest_due_at: at }) => (at ? [Date.parse(at)] : []));
  jobsLate.set(Math.max(0, (ctx.now.getTime() - Math.min(...due, ctx.now.getTime())) / 1000));
  for (const [carrier, state] of carriers)
    carrierWorks.set({ carrier }, state === 'ok' || state === 'warning' ? 1 : 0);
  if (disk) diskFree.set(disk.free);
  lastGoodBackup.set((good?.at.getTime() ?? 0) / 1000);
  // What came later is counted, too, and may be more than what there was.
  for (const { name: fill, done, total, finished_at: finished } of fills)
    fillLeft.set({ fill }, finished ? 0 : Math.max(1, total - done));
  eventsWaiting.set(waiting.events);
  emailsWaiting.set(waiting.emails);
  emailsFailed.set(waiting.failed_emails);
}

async function countWaiting({ db }: Pick<Ctx, 'db'>) {
  const { rows } = await sql<{ events: number; emails: number; failed_emails: number }>`
    select (select count(*)::int from outbox where seq is null) events,
      (select count(*)::int from mail_outbox where sent_at is null and failed_at is null) emails,
      (select count(*)::int from mail_outbox where failed_at is not null) failed_emails`.execute(
    db.unscoped,
  );
  return rows[0] ?? { events: 0, emails: 0, failed_emails: 0 };
}
