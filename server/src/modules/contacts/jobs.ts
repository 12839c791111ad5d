import { z } from 'zod';
import { inBulk, job } from '../../platform/jobs.ts';
import { undoDays } from '#contract/contacts';
import type { Ctx } from '../../platform/context.ts';
import { forgetValues } from '../fields/index.ts';
import { bulkStep, undoStep } from './bulk/do-to-many.ts';
import { foldCounts } from './groups/store-groups.ts';
import { companiesWithTrash, forgetDeleted } from './store.ts';

const before = (now: Date) => new Date(now.getTime() - undoDays * 86_400_000);

/** Deleted thirty days ago: gone for good, with what belonged to nobody else. Some at a time, company by company. */
export async function forgetTrash(ctx: Ctx): Promise<void> {
  const companies = await ctx.db.system((tx) => companiesWithTrash(tx, before(ctx.now)));
  for (const companyId of companies) {
    for (let gone = 500; gone === 500;)
      gone = await ctx.db.within({ companyId }, async (tx) => {
        const ids = await forgetDeleted(tx, companyId, before(ctx.now), 500);
        await forgetValues({ tx, companyId }, 7, ids);
        return ids.length;
      });
  }
}

export const jobs = [
  inBulk(
    job(
      'contacts.bulkStep',
      z.object({ companyId: z.number(), batchId: z.uuid(), from: z.number(), after: z.number() }),
      bulkStep,
    ),
  ),
  inBulk(
    job('contacts.undoStep', z.object({ companyId: z.number(), batchId: z.uuid() }), undoStep),
  ),
  job(
    'contacts.foldCounts',
    z.unknown(),
    async (ctx) => {
      await ctx.db.system((tx) => foldCounts(tx));
    },
    '* * * * *',
  ),
  inBulk(job('contacts.forgetTrash', z.unknown(), forgetTrash, '20 4 * * *')),
];
