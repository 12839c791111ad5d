import { runJob } from '../../../platform/jobs.ts';
import { finishErasure } from '../operator-erasing/erase-account.ts';
import { accountErasureJob } from '../operator-erasing/job-kinds.ts';
import { ErasureRefusal } from '../operator-erasing/refusal.ts';

export const jobs = [
  runJob(accountErasureJob, async (ctx, { personId }) => {
    try {
      await finishErasure(ctx, personId);
    } catch (error) {
      if (!(error instanceof ErasureRefusal)) throw error;
      // A hold of a moment ago; ending it erases the account.
      ctx.log.warn({ personId, reason: error.message }, 'account not erased');
    }
  }),
];
