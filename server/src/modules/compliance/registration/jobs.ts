import { z } from 'zod';
import { registrationKinds } from '#contract/compliance/registration/lists';
import { defineJob } from '../../../platform/jobs.ts';
import { endRegistration } from './end-registration.ts';
import { syncReview } from './sync-review.ts';
import { submitToRegistry } from './submit-to-registry.ts';
import { enqueueStaleReviews } from './store.ts';
import { syncNumbers } from './sync-numbers.ts';

const registrationKey = z.object({
  companyId: z.number(),
  campaignId: z.number(),
  kind: z.enum(registrationKinds),
});

export const jobs = [
  defineJob('registration.submit', registrationKey, submitToRegistry),
  defineJob('registration.poll', registrationKey, syncReview),
  defineJob('registration.syncNumbers', registrationKey, syncNumbers),
  defineJob('registration.end', registrationKey, endRegistration),
  // A report that was lost is asked for: every review that waits, every five minutes.
  defineJob(
    'registration.pollAll',
    z.unknown(),
    async (ctx) => {
      await ctx.db.systemTransaction((tx) =>
        enqueueStaleReviews(tx, new Date(ctx.now.getTime() - 4 * 60_000)),
      );
    },
    '*/5 * * * *',
  ),
];
