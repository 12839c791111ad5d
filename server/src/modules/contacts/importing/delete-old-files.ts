import type { Ctx } from '../../../platform/context.ts';
import { FILES_DAYS } from './present.ts';
import { fileKey, importsWithExpiredFiles, patchImport } from './store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/**
 * Job: deletes files of results after 30 days (A11), and uploads that were never imported after one
 * day. The imports stay listed.
 */
export async function deleteOldFiles(ctx: Ctx): Promise<void> {
  const daysAgo = (n: number) => new Date(ctx.now.getTime() - n * 86_400_000);
  for (const row of await ctx.db.systemTransaction((tx) =>
    importsWithExpiredFiles(tx, daysAgo(FILES_DAYS), daysAgo(1)),
  )) {
    const keys = await ctx.db.transaction({ companyId: row.company_id }, async (tx) => {
      const deleted: string[] = [];
      for (const fileId of [row.rows_file_id, row.result_file_id, row.mistakes_file_id]) {
        if (fileId === null) continue;
        const file = await fileKey(tx, row.company_id, fileId);
        if (!file) continue;
        await ctx.files.markDeleted(tx, row.company_id, fileId, ctx.now);
        deleted.push(file.key);
      }
      await patchImport(tx, row.company_id, row.id, {
        rows_file_id: null,
        result_file_id: null,
        mistakes_file_id: null,
      });
      return deleted;
    });
    for (const key of keys) await ctx.files.blobs.remove(key);
  }
}
