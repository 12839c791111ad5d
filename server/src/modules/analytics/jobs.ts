import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { writeCallReport } from './query/export-call-report.ts';
import { callReportJob } from './query/job-kinds.ts';
import {
  checkRollup,
  clearRollups,
  fillRollup,
  foldRollups,
} from './query/store-rollups-upkeep.ts';
import { sendReports } from './report-mails/send-reports.ts';
import { sendSummaries } from './summary-mail/send-summaries.ts';
import { foldFigures } from './store-figures.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Changes that one transaction adds up. */
const step = 10_000;
/** How long a run of the jobs that count calls anew works on; the next one goes on. */
const WORK_MS = 8 * 60_000;
const HOUR_MS = 3_600_000;

export const jobs = [
  runJob(callReportJob, writeCallReport),
  defineRecurring(
    'analytics.sendSummaries',
    {
      cron: '5 * * * *',
      does: 'emails companies their figures in the morning',
      queue: 'bulk',
      timeoutSeconds: 3000,
    },
    sendSummaries,
  ),
  defineRecurring(
    'analytics.sendReports',
    {
      cron: '10 * * * *',
      does: 'emails the reports that people have scheduled',
      queue: 'bulk',
      timeoutSeconds: 3000,
    },
    sendReports,
  ),
  defineRecurring(
    'analytics.foldFigures',
    {
      cron: '* * * * *',
      does: 'adds up the counted changes of calls and texts',
      queue: 'default',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      for (let n = step; n === step;)
        n = await ctx.db.systemTransaction((tx) => foldFigures(tx, step));
    },
  ),
  defineRecurring(
    'analytics.foldCallRollups',
    {
      cron: '* * * * *',
      does: 'adds up the changes of calls by day and month',
      queue: 'default',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      for (let n = step; n === step;)
        n = await ctx.db.systemTransaction((tx) => foldRollups(tx, step));
    },
  ),
  defineRecurring(
    'analytics.fillCallRollups',
    {
      cron: '* * * * *',
      does: 'counts the calls of companies that were there before, or have another time zone',
      queue: 'default',
      timeoutSeconds: 900,
    },
    async (ctx) => {
      const until = Date.now() + WORK_MS;
      const { background } = ctx.db;
      while (Date.now() < until && (await background.systemTransaction((tx) => fillRollup(tx))));
      for (let n = step; n === step && Date.now() < until;)
        n = await background.systemTransaction((tx) => clearRollups(tx, step));
    },
  ),
  defineRecurring(
    'analytics.checkCallRollups',
    {
      cron: '*/10 2-5 * * *',
      does: 'recounts all calls once a night and corrects sums that differ',
      queue: 'default',
      timeoutSeconds: 900,
    },
    async (ctx) => {
      const until = Date.now() + WORK_MS;
      const since = new Date(ctx.now.getTime() - 12 * HOUR_MS);
      let differing = 0;
      for (let n: number | null = 0; n !== null && Date.now() < until; differing += n ?? 0)
        n = await ctx.db.background.systemTransaction((tx) => checkRollup(tx, since, ctx.now));
      if (differing) ctx.log.error({ differing }, 'sums of calls were wrong and were put right');
    },
  ),
];
