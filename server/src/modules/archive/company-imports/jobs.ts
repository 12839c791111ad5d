import type { Ctx } from '../../../platform/context.ts';
import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { companyImportJob, GIVEN_UP_MS } from './job-kinds.ts';
import { keptSince } from './present.ts';
import { removeParts } from './remove-parts.ts';
import { failureOf, runCompanyImport } from './run-company-import.ts';
import { deleteAbandoned, givenUp, moveImport, withOldBytes } from './store.ts';

// The system role: archives that platform staff uploaded belong to no company.

/** Deletes uploads that are done, old or abandoned, and ends those whose process died. */
export async function tidyCompanyImports(ctx: Ctx): Promise<void> {
  const db = ctx.db.unscoped;
  for (const row of await givenUp(db, new Date(ctx.now.getTime() - GIVEN_UP_MS)))
    await moveImport(db, row.id, [row.state], {
      ...{ state: 'failed', failure: failureOf() },
      ...{ moved_at: ctx.now, finished_at: ctx.now },
    });
  const abandoned = await ctx.db.systemTransaction((tx) => deleteAbandoned(tx, ctx.now));
  await removeParts(ctx, [...abandoned, ...(await withOldBytes(db, keptSince(ctx.now)))]);
}

export const jobs = [
  runJob(companyImportJob, (ctx, payload, attempt) => runCompanyImport(ctx, payload, attempt)),
  defineRecurring(
    'archive.tidyCompanyImports',
    {
      cron: '25 * * * *',
      does: 'deletes uploaded archives that were imported, are a week old or were abandoned',
      queue: 'default',
      timeoutSeconds: 600,
    },
    tidyCompanyImports,
  ),
];
