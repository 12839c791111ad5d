import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { writeCallReport } from './query/export-call-report.ts';
import { callReportJob } from './query/job-kinds.ts';
import { rollupJobs } from './query/rollup-jobs.ts';
import { sendReports } from './report-mails/send-reports.ts';
import { sendSummaries } from './summary-mail/send-summaries.ts';
import { foldFigures } from './store-figures.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Changes that one transaction adds up. */
const step = 10_000;

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
  ...rollupJobs,
];
