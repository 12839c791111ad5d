import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { submitJob, pollJob, syncNumbersJob, endJob } from './job-kinds.ts';
import { endRegistration } from './end-registration.ts';
import { syncReview } from './sync-review.ts';
import { submitToRegistry } from './submit-to-registry.ts';
import { enqueueStaleReviews } from './store.ts';
import { noteMonthlyFees } from './monthly-fees.ts';
import { syncNumbers } from './sync-numbers.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

export const jobs = [
  runJob(submitJob, submitToRegistry),
  runJob(pollJob, syncReview),
  runJob(syncNumbersJob, syncNumbers),
  runJob(endJob, endRegistration),
  // Covers lost webhooks: every pending review is polled every five minutes.
  defineRecurring(
    'registration.monthlyFees',
    {
      cron: '20 2 * * *',
      does: 'adds the monthly fees of text registrations to what companies used',
      queue: 'default',
      timeoutSeconds: 300,
    },
    noteMonthlyFees,
  ),
  defineRecurring(
    'registration.pollAll',
    {
      cron: '*/5 * * * *',
      does: 'asks registries about reviews that no webhook reported',
      queue: 'documents',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      await ctx.db.systemTransaction((tx) =>
        enqueueStaleReviews(tx, new Date(ctx.now.getTime() - 4 * 60_000)),
      );
    },
  ),
];
