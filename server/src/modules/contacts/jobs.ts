import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { bulkStepJob, undoStepJob } from './job-kinds.ts';
import { undoDays } from '#contract/contacts/rules';
import type { Ctx } from '../../platform/context.ts';
import { deleteValues } from '../fields/index.ts';
import { bulkStep } from './bulk/bulk-job.ts';
import { undoStep } from './bulk/undo-bulk.ts';
import { compactCounts } from './groups/store-groups.ts';
import { companiesWithTrash, purgeDeleted } from './store-trash.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

const trashCutoff = (now: Date) => new Date(now.getTime() - undoDays * 86_400_000);

/**
 * Job: removes contacts deleted more than 30 days ago with their custom values, 500 per
 * transaction.
 */
async function purgeTrash(ctx: Ctx): Promise<void> {
  const companies = await ctx.db.systemTransaction((tx) =>
    companiesWithTrash(tx, trashCutoff(ctx.now)),
  );
  for (const companyId of companies) {
    for (let purged = 500; purged === 500;)
      purged = await ctx.db.transaction({ companyId }, async (tx) => {
        const ids = await purgeDeleted(tx, companyId, trashCutoff(ctx.now), 500);
        await deleteValues({ tx, companyId }, 7, ids);
        return ids.length;
      });
  }
}

export const jobs = [
  runJob(bulkStepJob, bulkStep),
  runJob(undoStepJob, undoStep),
  defineRecurring(
    'contacts.rollUpCounts',
    {
      cron: '* * * * *',
      does: 'adds up the counted changes of groups and labels',
      queue: 'default',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      await ctx.db.systemTransaction((tx) => compactCounts(tx));
    },
  ),
  defineRecurring(
    'contacts.purgeTrash',
    {
      cron: '20 4 * * *',
      does: 'deletes contacts that were deleted thirty days ago for good',
      queue: 'bulk',
      timeoutSeconds: 3600,
    },
    purgeTrash,
  ),
];
