import { sourceReportDeleted } from '#contract/analytics/source-reports/events';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { findFile } from '../../../platform/files.ts';
import { sightOf } from './companies-in-report.ts';
import { lockReport, removeReport } from './store.ts';

/**
 * Deletes a saved run and its file: one's own, or anyone's for those who set up tracking. Fails with
 * 404, also for runs with numbers that the actor doesn't see, or `role.forbidden`.
 */
export async function deleteReport(ctx: Ctx, id: number): Promise<void> {
  const key = await ctx.transaction(async (t) => {
    const row = (await lockReport(t.tx, t.companyId, id, sightOf(t))) ?? notFound();
    if (row.created_by !== t.actor.userId && t.may('dni.edit') === 'none') fail('role.forbidden');
    await removeReport(t.tx, t.companyId, id);
    const file = row.file_id === null ? null : await findFile(t.tx, t.companyId, row.file_id);
    if (file) await t.files.markDeleted(t.tx, t.companyId, file.id, t.now);
    await audit(t, 'source_report.deleted', `source_report:${id}`, { before: { name: row.name } });
    await t.publish(sourceReportDeleted, { companyId: t.companyId, reportId: id });
    return file?.key;
  });
  if (key) await ctx.files.blobs.remove(key);
}
