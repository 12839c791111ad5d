import { archive as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import { createBatch } from '../../platform/batches.ts';
import type { Ctx } from '../../platform/context.ts';
import { guardFor } from '../../platform/guarded-files.ts';
import { fail } from '../../platform/errors.ts';
import type { Http } from '../../platform/routes.ts';
import { requirePassword } from '../identity/index.ts';
import { ARCHIVE_KIND } from './run-archive.ts';
import { archiveIsRunning } from './store-batches.ts';
import { archiveJob } from './job-kinds.ts';

/**
 * Starts an archive after the person has entered their password again. One at a time:
 * `archive.running`.
 */
export async function startArchive(
  ctx: Ctx,
  { password }: Body<typeof contract.startArchive>,
  http: Http,
): Promise<Answer<typeof contract.startArchive>> {
  await requirePassword(ctx, http, password, 'password');
  return ctx.transaction(async (t) => {
    if (await archiveIsRunning(t.tx, t.companyId, ARCHIVE_KIND.name)) fail('archive.running');
    const batchId = await createBatch(t, {
      kind: ARCHIVE_KIND,
      input: { guard: guardFor(t, 'company.export') },
      total: 1,
    });
    await audit(t, 'archive.begun', `company:${t.companyId}`, { after: { batchId } });
    await t.publish(contract.archiveChanged, { batchId });
    await t.enqueue(archiveJob, { batchId });
    return { data: { batchId, status: 'queued' as const, total: 1 } };
  });
}
