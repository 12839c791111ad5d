import { archive as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail, notFound } from '../../platform/errors.ts';
import type { ExportedFile } from '../../platform/export-rows.ts';
import { removeFile } from './exports.ts';
import { ARCHIVE_KIND } from './run-archive.ts';
import { lockArchive, setArchiveDeleted } from './store-exports.ts';

/**
 * Deletes an archive: nobody can fetch it from now on, its bytes are gone. Twice changes nothing.
 * Fails with `archive.running`.
 */
export async function deleteArchive(ctx: Ctx, archiveId: string): Promise<void> {
  const found = await ctx.transaction((t) =>
    lockArchive(t.tx, t.companyId, archiveId, ARCHIVE_KIND.name),
  );
  if (!found) return notFound();
  if (!found.finished_at) fail('archive.running');
  const [file] = found.result as Partial<ExportedFile>[];
  const { fileId, name } = file ?? {};
  if (fileId === undefined) return;
  await removeFile(ctx, fileId, async (t) => {
    await setArchiveDeleted(t.tx, t.companyId, archiveId);
    await audit(t, 'archive.deleted', `company:${t.companyId}`, {
      before: { batchId: archiveId, name },
    });
    await t.publish(contract.archiveChanged, { batchId: archiveId });
  });
}
