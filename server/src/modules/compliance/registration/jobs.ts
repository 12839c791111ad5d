import { z } from 'zod';
import { registrationKinds } from '#contract/registration-lists';
import { job } from '../../../platform/jobs.ts';
import { endRegistration } from './end-registration.ts';
import { followReview } from './follow-review.ts';
import { handIn } from './hand-in.ts';
import { askAgain } from './store.ts';
import { tellNumbers } from './tell-numbers.ts';

const which = z.object({
  companyId: z.number(),
  campaignId: z.number(),
  kind: z.enum(registrationKinds),
});

export const jobs = [
  job('registration.handIn', which, handIn),
  job('registration.follow', which, followReview),
  job('registration.tellNumbers', which, tellNumbers),
  job('registration.end', which, endRegistration),
  // A report that was lost is asked for: every review that waits, every five minutes.
  job(
    'registration.followAll',
    z.unknown(),
    async (ctx) => {
      await ctx.db.system((tx) => askAgain(tx, new Date(ctx.now.getTime() - 4 * 60_000)));
    },
    '*/5 * * * *',
  ),
];
