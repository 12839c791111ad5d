import type { Ctx } from '../../../platform/context.ts';
import { FILES_DAYS } from './present.ts';
import { fileKey, importsWithExpiredFiles, patchImport } from './store.ts';

/** Results are kept thirty days (A11), a file nobody imported one; what the import did stays in the list. */
export async function deleteOldFiles(ctx: Ctx): Promise<void> {
  const days = (n: number) => new Date(ctx.now.getTime() - n * 86_400_000);
  for (const row of await ctx.db.systemTransaction((tx) =>
    importsWithExpiredFiles(tx, days(FILES_DAYS), days(1)),
  )) {
    const keys = await ctx.db.transaction({ companyId: row.company_id }, async (tx) => {
      const gone: string[] = [];
      for (const fileId of [row.rows_file_id, row.result_file_id, row.mistakes_file_id]) {
        const file = fileId === null ? null : await fileKey(tx, row.company_id, fileId);
        if (!file) continue;
        await ctx.files.markDeleted(tx, row.company_id, fileId!, ctx.now);
        gone.push(file.key);
      }
      await patchImport(tx, row.company_id, row.id, {
        rows_file_id: null,
        result_file_id: null,
        mistakes_file_id: null,
      });
      return gone;
    });
    for (const key of keys) await ctx.files.blobs.remove(key);
  }
}
