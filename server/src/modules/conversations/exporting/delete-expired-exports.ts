import type { Ctx } from '../../../platform/context.ts';
import { listExpiredFiles } from '../../../platform/files.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Hourly: deletes expired export files, the row before the bytes. */
export async function deleteExpiredExports(ctx: Ctx): Promise<void> {
  for (const { companyId, id, key } of await listExpiredFiles(ctx.db.unscoped, ctx.now)) {
    await ctx.db.transaction({ companyId }, (tx) =>
      ctx.files.markDeleted(tx, companyId, id, ctx.now),
    );
    await ctx.files.blobs.remove(key);
  }
}
