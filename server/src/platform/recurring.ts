import { parseCronItems, type ParsedCronItem } from 'graphile-worker';

/**
 * Every job that the clock starts. Minute, hour, day, month and weekday are UTC. However many worker
 * processes there are, a time starts each job once; a run whose time passed while no worker was
 * there is skipped, and one that is still waiting when the next is due is replaced by it.
 *
 * What has to happen within seconds is no job. Timers of processes: the outbox relay (250 ms),
 * leases and the call clock (1 s), the campaign dispatcher (300 ms), lost jobs (4 s), webhooks that
 * could not be stored (2 to 30 s), and who is online (1 min).
 */
export const recurring: readonly { job: string; cron: string; does: string }[] = [
  {
    job: 'contacts.rollUpCounts',
    cron: '* * * * *',
    does: 'adds up the counted changes of groups and labels',
  },
  {
    job: 'analytics.foldFigures',
    cron: '* * * * *',
    does: 'adds up the counted changes of calls and texts',
  },
  {
    job: 'calls.foldCallers',
    cron: '* * * * *',
    does: 'adds up when callers had called last',
  },
  {
    job: 'registration.pollAll',
    cron: '*/5 * * * *',
    does: 'asks registries about reviews that no webhook reported',
  },
  {
    job: 'marketplace.expire',
    cron: '*/5 * * * *',
    does: 'ends reservations and offers whose time is over',
  },
  {
    job: 'settings.checkDns',
    cron: '*/15 * * * *',
    does: 'looks for the DNS records of mail senders and custom domains',
  },
  {
    job: 'retention.sweep',
    cron: '7 * * * *',
    does: 'deletes rows that are old (docs/retention.md)',
  },
  {
    job: 'marketplace.endLeases',
    cron: '15 * * * *',
    does: 'ends leases of numbers, and announces the end of others',
  },
  {
    job: 'calls.deleteExpired',
    cron: '17 * * * *',
    does: 'deletes recordings as old as their number allows',
  },
  {
    job: 'contacts.purgeImportFiles',
    cron: '17 * * * *',
    does: 'deletes files of imports',
  },
  {
    job: 'porting.pollAll',
    cron: '20 * * * *',
    does: 'asks carriers about port orders that no webhook reported',
  },
  {
    job: 'conversations.reconcileTexts',
    cron: '23 * * * *',
    does: 'compares our texts with the carrier’s list',
  },
  { job: 'secrets.reseal', cron: '37 * * * *', does: 'seals stored secrets with the newest key' },
  { job: 'exports.purge', cron: '41 * * * *', does: 'deletes exports whose link has expired' },
  {
    job: 'contacts.purgeTrash',
    cron: '20 4 * * *',
    does: 'deletes contacts that were deleted thirty days ago for good',
  },
  {
    job: 'companies.rotateSupportPins',
    cron: '10 5 * * 1',
    does: 'gives every company another support PIN',
  },
  {
    job: 'audit.deleteOld',
    cron: '35 4 * * *',
    does: 'deletes entries of the audit log that are older than AUDIT_KEEP_DAYS',
  },
  {
    job: 'jobs.deleteFailed',
    cron: '50 4 * * *',
    does: 'deletes jobs that failed for good thirty days ago',
  },
];

/** The entries of these jobs, for the queue library. A failed run is not repeated: the next one is due soon. */
export const cronItemsOf = (jobNames: ReadonlySet<string>): ParsedCronItem[] =>
  parseCronItems(
    recurring
      .filter(({ job }) => jobNames.has(job))
      .map(({ job, cron }) => ({
        task: job,
        match: cron,
        options: { maxAttempts: 1, queueName: job, jobKey: job },
      })),
  );
