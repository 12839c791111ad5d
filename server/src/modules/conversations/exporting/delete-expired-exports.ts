import type { Ctx } from '../../../platform/context.ts';
import { listExpiredFiles } from '../../../platform/files.ts';

/** Every hour: files whose time is over (exports) go, the row first, then the bytes. */
export async function deleteExpiredExports(ctx: Ctx): Promise<void> {
  for (const { companyId, id, key } of await listExpiredFiles(ctx.db.unscoped, ctx.now)) {
    await ctx.db.transaction({ companyId }, (tx) =>
      ctx.files.markDeleted(tx, companyId, id, ctx.now),
    );
    await ctx.files.blobs.remove(key);
  }
}
